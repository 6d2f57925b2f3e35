import type { Page } from '../page.ts';
import type { ShowConsole } from './console-page.ts';

/** Makes a page of the console whose code is loaded when the page is first requested. */
export function lazyPage(
  method: Page['method'],
  path: Page['path'],
  load: () => Promise<ShowConsole>,
  options: Pick<Page, 'maximumFormBytes' | 'maximumFileBytes'> = {},
): Page {
  return {
    method,
    path,
    ...options,
    show: async (request) => {
      const [{ consolePage }, show] = await Promise.all([import('./console-page.ts'), load()]);
      return consolePage(show)(request);
    },
  };
}
