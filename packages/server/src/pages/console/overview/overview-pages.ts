import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

/** Where the console begins. */
export const overviewPages: Readonly<Record<string, Page>> = {
  console: lazyPage('GET', consolePaths.home, async () => (await import('./overview.ts')).showOverview),
};
