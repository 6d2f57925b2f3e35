// @ts-check
// What scripts add to the form of a task: it is saved while one fills it in, files show their progress, and signatures are drawn.

const part = '#form';
/** What may follow from an upload, beside the form. */
const besides = '#facts:outerMorph,#decision:outerMorph';
/** The form for the answers. */
const answers = '#form .task-form';

/** What makes htmx leave an element as it is. */
const kept = 'hx-morph-skip';
const { htmx } = /** @type {any} */ (window);

/**
 * The forms that contain what is not saved yet: answers, or a typed comment.
 * @type {Set<EventTarget | null>}
 */
const unsaved = new Set(document.querySelectorAll('form[data-unsaved]'));

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLTextAreaElement) unsaved.add(target.form);
  const form = target instanceof Element ? target.closest(answers) : null;
  if (!form || (target instanceof HTMLInputElement && ['file', 'search'].includes(target.type))) return;
  unsaved.add(form);
  say('');
});

document.addEventListener('submit', ({ target }) => unsaved.delete(target));

addEventListener('beforeunload', (event) => {
  if ([...unsaved].some((form) => form instanceof Element && form.isConnected)) event.preventDefault();
});

document.addEventListener('htmx:before:request', ({ target }) => {
  if (isSaved(target)) unsaved.delete(target);
});

document.addEventListener('htmx:finally:request', (event) => {
  const { ctx } = /** @type {CustomEvent} */ (event).detail;
  const isLost = ctx.status !== 'swapped' || ctx.isLost;
  if (isLost && event.target instanceof HTMLInputElement) {
    tell(event.target, 'Nothing was searched: press the button to try again.');
  }
  if (!isSaved(event.target)) return;
  const isRejected = ctx.response?.status >= 400;
  if (isLost || isRejected) unsaved.add(event.target);
  if (isLost) say('Not saved. Your answers are still here: press Save to try again.');
  else say(isRejected ? 'Not saved yet: see the marked fields.' : 'Saved.');
});

// What was not sent stays as it is, also what it replaces: somebody else's answer that the visitor has not seen yet.
document.addEventListener('htmx:before:swap', (event) => {
  const { ctx } = /** @type {CustomEvent} */ (event).detail;
  const form = document.querySelector(answers);
  if (ctx.select !== part || !(form instanceof HTMLFormElement)) return;
  const entered = new FormData(form);
  for (const seen of form.querySelectorAll('[name^="seen-"]')) {
    const name = seen.getAttribute('name')?.slice('seen-'.length) ?? '';
    const isSent = JSON.stringify(ctx.request?.body.getAll(name)) === JSON.stringify(entered.getAll(name));
    seen.closest('.field, fieldset')?.toggleAttribute(kept, !isSent);
  }
});

document.addEventListener('htmx:finally:swap', () => {
  for (const field of document.querySelectorAll(`${part} :is(.field, fieldset)[${kept}]`)) field.removeAttribute(kept);
});

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'file' || !target.form || !target.files?.length) return;
  void upload(target.form, new FormData(target.form), target);
});

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('[data-signature-action]') : null;
  const pad = button?.closest('[data-signature]');
  if (!button || !pad) return;
  if (button.getAttribute('data-signature-action') === 'clear') pads.get(pad)?.clear();
  else void sign(pad);
});

/** @type {WeakMap<Element, any>} */
const pads = new WeakMap();
preparePads();
// Rules may have shown a field.
document.addEventListener('htmx:after:swap', preparePads);

function preparePads() {
  for (const pad of document.querySelectorAll('[data-signature]')) if (!pads.has(pad)) void drawIn(pad);
}

/**
 * Makes a pad of an element. Its canvas has the resolution of the screen.
 * @param {Element} element
 */
async function drawIn(element) {
  pads.set(element, null);
  const { default: SignaturePad } = await import(element.getAttribute('data-signature') ?? '');
  const canvas = element.querySelector('canvas');
  const context = canvas?.getContext('2d');
  if (!canvas || !context) return;
  const ratio = Math.max(devicePixelRatio, 1);
  canvas.width = canvas.offsetWidth * ratio;
  canvas.height = canvas.offsetHeight * ratio;
  context.scale(ratio, ratio);
  pads.set(element, new SignaturePad(canvas, { backgroundColor: '#fff', penColor: '#000' }));
}

/**
 * Uploads what was drawn, as an image.
 * @param {Element} element
 */
async function sign(element) {
  const pad = pads.get(element);
  const form = document.getElementById(element.getAttribute('data-form') ?? '');
  if (!pad || !(form instanceof HTMLFormElement)) return;
  if (pad.isEmpty()) {
    tell(element, 'Draw the signature first.');
    return;
  }
  /** @type {Blob | null} */
  const image = await new Promise((resolve) => pad.canvas.toBlob(resolve, 'image/png'));
  if (!image) return;
  const data = new FormData(form);
  data.set('file', image, 'signature.png');
  await upload(form, data, element);
  pad.clear();
}

/**
 * Sends a file, and shows how far it is. The answers that are not saved stay as they are.
 * @param {HTMLFormElement} form
 * @param {FormData} data
 * @param {Element} beside
 */
async function upload(form, data, beside) {
  const request = new XMLHttpRequest();
  const progress = document.createElement('progress');
  progress.max = 1;
  progress.setAttribute('aria-label', 'Upload');
  beside.after(progress);
  request.upload.addEventListener('progress', ({ loaded, total }) => (progress.value = loaded / total));
  await new Promise((resolve) => {
    request.addEventListener('loadend', resolve);
    request.open('POST', form.action);
    request.send(data);
  });
  progress.remove();
  // Otherwise the same file could not be chosen again.
  if (beside instanceof HTMLInputElement) beside.value = '';
  if (request.responseURL.startsWith(`${location.origin}/sign-in`)) {
    tell(
      beside,
      'You are not signed in any more. Sign in in another tab, press Save here, then choose the file again.',
    );
    return;
  }
  const page = new DOMParser().parseFromString(request.responseText, 'text/html');
  const target = document.querySelector(part);
  if (!target || !page.querySelector(part)) {
    const problem = page.querySelector('[role=alert], main p')?.textContent?.trim();
    tell(beside, problem || 'Not uploaded: check the connection, then choose the file again.');
    return;
  }
  const text = request.responseText;
  await htmx.swap({ sourceElement: target, target, text, select: part, selectOOB: besides, swap: 'outerMorph' });
  say(request.status >= 400 ? 'Not uploaded: see the marked field.' : 'Uploaded.');
}

/**
 * @param {Element} beside
 * @param {string} text
 */
function tell(beside, text) {
  const message = document.createElement('p');
  message.className = 'error';
  message.setAttribute('role', 'alert');
  message.textContent = text;
  beside.parentElement?.querySelector(':scope > .error[role=alert]')?.remove();
  beside.after(message);
}

/**
 * Says quietly what became of the answers.
 * @param {string} text
 */
function say(text) {
  const status = document.querySelector('#saving');
  if (status) status.textContent = text;
}

/** @param {EventTarget | null} target */
function isSaved(target) {
  return target instanceof Element && target.matches(answers);
}
