import { page, type PageOptions } from '../make-page.ts';
import type { Page } from '../page.ts';
import type { ShowConsole } from './console-page.ts';

/** Makes a page of the console whose code is loaded when the page is first requested. */
export function lazyPage(
  method: Page['method'],
  path: Page['path'],
  load: () => Promise<ShowConsole>,
  options?: PageOptions,
): Page {
  const loadPage = async () => {
    const [{ consolePage }, show] = await Promise.all([import('./console-page.ts'), load()]);
    return consolePage(show);
  };
  return page(method, path, loadPage, options);
}

/** Makes the same for pages whose paths begin alike, and that `restrict` may limit to some members. */
export function pagesBelow(base: Page['path'], restrict: (show: ShowConsole) => ShowConsole = (show) => show) {
  return (method: Page['method'], path: string, load: () => Promise<ShowConsole>, options?: PageOptions): Page =>
    lazyPage(method, `${base}${path}`, async () => restrict(await load()), options);
}
