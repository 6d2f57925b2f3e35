import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

/** The search of the header. */
export const searchPages: Readonly<Record<string, Page>> = {
  consoleSearch: lazyPage('GET', consolePaths.search, async () => (await import('./search.ts')).showSearch),
};
