// @ts-check
// Passkeys need scripts: browsers reach authenticators only through them. One button signs in, one form adds a passkey.

const isSupported = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

for (const part of document.querySelectorAll('[data-passkey]')) {
  if (!(part instanceof HTMLElement)) continue;
  part.hidden = !isSupported;
  const missing = part.parentElement?.querySelector('[data-passkey-missing]');
  if (missing instanceof HTMLElement) missing.hidden = isSupported;
  const form = part.querySelector('form');
  if (form) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void use(part, () => add(form, part.dataset['next'] ?? '/'));
    });
  } else {
    part.querySelector('button')?.addEventListener('click', () => void use(part, () => signIn(part)));
  }
}

/**
 * Does what a part of the page is for, and says why if it cannot.
 * @param {HTMLElement} form
 * @param {() => Promise<void>} work
 */
async function use(form, work) {
  const button = form.querySelector('button');
  say(form, '');
  if (button) button.disabled = true;
  try {
    await work();
  } catch (error) {
    say(form, explain(error));
  } finally {
    if (button) button.disabled = false;
  }
}

/**
 * @param {HTMLElement} form
 */
async function signIn(form) {
  const { token, options } = await post('/auth/passkeys/sign-in/begin');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const { id, response } = jsonOf(await navigator.credentials.get({ publicKey }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const credential = { id, clientDataJSON, authenticatorData, signature, userHandle };
  await post('/auth/passkeys/sign-in', { token, credential });
  // A page that carries a form sends it now.
  const carrying = document.getElementById(form.dataset['carrying'] ?? '');
  if (!(carrying instanceof HTMLFormElement)) {
    location.assign(form.dataset['next'] ?? '/');
    return;
  }
  const mark = Object.assign(document.createElement('input'), { type: 'hidden', name: 'isSignedIn', value: 'true' });
  carrying.append(mark);
  carrying.submit();
}

/**
 * @param {HTMLFormElement} form
 * @param {string} next
 */
async function add(form, next) {
  const data = new FormData(form);
  /** @param {string} field */
  const textOf = (field) => /** @type {string} */ (data.get(field));
  const csrf = textOf('csrf');
  const { token, options } = await post('/auth/passkeys/begin', undefined, csrf);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { id, response } = jsonOf(await navigator.credentials.create({ publicKey }));
  const { clientDataJSON, attestationObject, transports } = response;
  const credential = { id, clientDataJSON, attestationObject, transports };
  await post('/auth/passkeys', { token, name: textOf('name'), credential }, csrf);
  location.assign(next);
}

/**
 * What an authenticator has returned, as JSON.
 * @param {Credential | null} credential
 * @returns {any}
 */
function jsonOf(credential) {
  return credential instanceof PublicKeyCredential ? credential.toJSON() : {};
}

const outOfDate = 'You have signed out or in again since this page was opened. Reload it, then try again.';

/** A rejection by the service, with what it says. */
class Rejection extends Error {}

/**
 * Calls the service.
 * @param {string} path
 * @param {unknown} [body]
 * @param {string} [csrf]
 * @returns {Promise<any>}
 */
async function post(path, body, csrf) {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(csrf !== undefined && { 'x-service-csrf': csrf }),
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(path, { method: 'POST', headers, ...sent });
  const received = await response.json();
  const hasEnded = response.status === 401 || received.code === 'invalid_csrf_token';
  // The message of the service is for programs.
  if (csrf !== undefined && hasEnded) throw new Rejection(outOfDate);
  if (!response.ok) throw new Rejection([received.message].flat().join(' '));
  return received;
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function explain(error) {
  if (error instanceof Rejection) return error.message;
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'InvalidStateError') return 'This device has a passkey of yours already.';
  if (name === 'NotAllowedError') return 'No passkey was used: it was cancelled, took too long, or there is none.';
  if (name === 'SecurityError') return 'Passkeys do not work at this address. Open the service at its usual address.';
  return 'This did not work. Check the connection, then try again.';
}

/**
 * @param {HTMLElement} form
 * @param {string} text
 */
function say(form, text) {
  const message = form.querySelector('[role=alert]');
  if (!(message instanceof HTMLElement)) return;
  message.textContent = text;
  message.hidden = text === '';
}
