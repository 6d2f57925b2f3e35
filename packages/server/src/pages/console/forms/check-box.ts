import { html, type Child, type Markup } from '../../html.ts';

/** One of several values with the same name that can be chosen. `entered` is what the form contains. */
export function checkBox(name: string, value: string, label: Child, entered: URLSearchParams): Markup {
  const id = `${name}-${value}`;
  return html`<div class="choice">
    <input
      type="checkbox"
      id="${id}"
      name="${name}"
      value="${value}"
      ${entered.getAll(name).includes(value) && html`checked`}
    />
    <label for="${id}">${label}</label>
  </div>`;
}
