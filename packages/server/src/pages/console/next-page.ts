import { html, type Child } from '../html.ts';
import type { ConsoleRequest } from './console-page.ts';

/** The way to the next page of a list, with the same filters. Nothing on the last page. */
export function nextPageLink({ path, query }: ConsoleRequest, cursor: string | null): Child {
  if (cursor === null) return null;
  return html`<p><a class="button quiet" href="${pathWith({ path, query }, { cursor })}" rel="next">Next page</a></p>`;
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
