import { html, type Child, type Markup } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';

/** What a page asks before it does something that cannot be undone. */
interface Confirmation {
  /** What is done, as its button says. */
  readonly button: string;
  /** The page to which one returns instead. */
  readonly back: string;
  /** Further fields. */
  readonly fields?: Child;
}

/** The form with which one confirms, sent to where the question stands, or keeps what there is. */
export function confirmForm({ path, csrf }: ConsoleRequest, { button, back, fields }: Confirmation): Markup {
  return html`<form class="actions" method="post" action="${path}">
    ${csrf}${fields}
    <button type="submit">${button}</button>
    <a class="button quiet" href="${back}">Keep it</a>
  </form>`;
}
