import { html, type Markup } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';

/** What a page searches for. */
interface Search {
  /** The parameter of the URL, and the id of the field. */
  readonly name: string;
  readonly label: string;
  /** The other parameters of the URL that the search keeps. */
  readonly keep?: readonly string[];
}

/** A form with one text to search for. Its state is in the URL. */
export function searchForm({ path, query }: ConsoleRequest, { name, label, keep = [] }: Search): Markup {
  return html`<form class="search" method="get" action="${path}" role="search">
    ${keep.map((each) => query.has(each) && html`<input type="hidden" name="${each}" value="${query.get(each)}" />`)}
    <div class="field">
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" type="search" value="${query.get(name) ?? ''}" />
    </div>
    <button type="submit" class="quiet">Search</button>
  </form>`;
}
