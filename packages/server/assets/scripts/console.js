// @ts-check
// What scripts add to every page of the console. Each page works without them.

/**
 * @typedef {object} HtmxContext
 * @property {Element} sourceElement
 * @property {Event} sourceEvent
 * @property {string | null} [select]
 * @property {string} text
 * @property {boolean} [isLost] Whether the response was another page than the wanted one.
 */

document.documentElement.classList.add('scripted');

/** Lists are not refreshed for somebody who went away: each request keeps the session alive. */
const restAfterMs = 10 * 60_000;
let lastActed = Date.now();
for (const name of ['pointermove', 'pointerdown', 'keydown', 'scroll']) {
  addEventListener(name, () => (lastActed = Date.now()), { passive: true });
}

/** The same button does not send a form again so shortly after it did. */
const doubleClickMs = 1_000;
/**
 * When buttons sent forms.
 * @type {WeakMap<EventTarget, number>}
 */
const sentAt = new WeakMap();

document.addEventListener('htmx:before:request', (event) => {
  const { ctx } = detailOf(event);
  if (ctx.sourceEvent.type === 'every' && !mayRefresh(ctx.sourceElement)) event.preventDefault();
});

// A page without the wanted part, such as the one for signing in, must not empty what is shown.
document.addEventListener('htmx:before:swap', (event) => {
  const { ctx } = detailOf(event);
  if (!ctx.select || new DOMParser().parseFromString(ctx.text, 'text/html').querySelector(ctx.select)) return;
  event.preventDefault();
  ctx.isLost = true;
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
  const act = shortcuts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// The second click of a double click would send the form again, and the page would say what became of that only.
document.addEventListener('submit', (event) => {
  const { submitter, target, timeStamp } = event;
  const button = submitter ?? target;
  if (!button) return;
  if (timeStamp - (sentAt.get(button) ?? -Infinity) < doubleClickMs) event.preventDefault();
  else sentAt.set(button, timeStamp);
});

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('[data-copies]') : null;
  const source = document.getElementById(button?.getAttribute('data-copies') ?? '');
  if (!button || !(source instanceof HTMLInputElement)) return;
  source.select();
  // Browsers offer the clipboard only over HTTPS.
  if (!('clipboard' in navigator)) button.textContent = 'Selected: press Ctrl+C';
  else void navigator.clipboard.writeText(source.value).then(() => (button.textContent = 'Copied'));
});

/** @type {Readonly<Record<string, () => void>>} */
const shortcuts = {
  '/': () => focus(document.querySelector('header [type=search]')),
  j: () => step(1),
  k: () => step(-1),
  '?': () => {
    const dialog = document.querySelector('#shortcuts');
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
  },
};

/**
 * Moves the focus to the next or the previous record of a list. Enter follows its link, as everywhere.
 * @param {1 | -1} direction
 */
function step(direction) {
  const links = [...document.querySelectorAll('main .rows a, main tbody th a')];
  const current = links.findIndex((link) => link === document.activeElement);
  const next = current === -1 && direction === -1 ? links.length - 1 : current + direction;
  focus(links[next]);
}

/** @param {Element | null | undefined} element */
function focus(element) {
  if (element instanceof HTMLElement) element.focus();
}

/**
 * Whether a list may change: nobody is about to click in it, and somebody looks at it.
 * @param {Element} list
 */
function mayRefresh(list) {
  const isInUse =
    list.matches(':hover, :focus-within') || list.querySelector(':checked:not(option, [type=radio])') !== null;
  return !document.hidden && !isInUse && Date.now() - lastActed < restAfterMs;
}

/** @param {EventTarget | null} target */
function isWriting(target) {
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
}

/**
 * @param {Event} event
 * @returns {{ ctx: HtmxContext }}
 */
function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}
