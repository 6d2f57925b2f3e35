import { html, type Child } from '../html.ts';
import type { ConsoleRequest } from './console-page.ts';

/** The records of a list on one page. */
export const pageSize = 50;

/** The page of a list that the URL names, as lists take it. `name` is the parameter with its cursor. */
export function chosenPage({ query }: Pick<ConsoleRequest, 'query'>, name = 'cursor') {
  return { limit: pageSize, cursor: query.get(name) ?? undefined };
}

/** Which list of a page continues, if the page has several. */
interface List {
  /** The parameter with its cursor. Default: `cursor`. */
  readonly name?: string;
  readonly text?: string;
  /** The id of the element with the list. */
  readonly anchor?: string;
}

/** The way to the next page of a list, with the same filters. Nothing on the last page. */
export function nextPageLink(
  request: ConsoleRequest,
  cursor: string | null,
  { name = 'cursor', text = 'Next page', anchor }: List = {},
): Child {
  if (cursor === null) return null;
  const href = pathWith(request, { [name]: cursor }) + (anchor === undefined ? '' : `#${anchor}`);
  return html`<p><a class="button quiet" href="${href}" rel="next">${text}</a></p>`;
}

/** The URL of a page with some parameters changed; null removes one. What the last form has done is not repeated. */
export function pathWith(
  { path, query }: Pick<ConsoleRequest, 'path' | 'query'>,
  changes: Readonly<Record<string, string | null>>,
): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries({ notice: null, ...changes })) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  const search = changed.toString();
  return search === '' ? path : `${path}?${search}`;
}
