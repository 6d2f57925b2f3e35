import type { Page } from './page.ts';

/** What a page may state besides its method, path and code. */
export type PageOptions = Omit<Page, 'method' | 'path' | 'show'>;

/** Makes a page whose code is loaded when it is first requested. */
export function page(
  method: Page['method'],
  path: Page['path'],
  load: () => Promise<Page['show']>,
  options: PageOptions = {},
): Page {
  return { method, path, ...options, show: async (request) => (await load())(request) };
}
