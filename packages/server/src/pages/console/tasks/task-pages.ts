import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

/** The pages on which people do their tasks. */
export const taskPages: Readonly<Record<string, Page>> = {
  consoleTasks: lazyPage('GET', consolePaths.tasks, async () => (await import('./inbox.ts')).showInbox),
};
