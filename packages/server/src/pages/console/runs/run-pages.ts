import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

const run = `${consolePaths.runs}/:id` as const;

/** The pages with runs: their list, and each of them. */
export const runPages: Readonly<Record<string, Page>> = {
  consoleRuns: lazyPage('GET', consolePaths.runs, async () => (await import('./list.ts')).showRuns),
  consoleRun: lazyPage('GET', run, async () => (await import('./run.ts')).showRun),
  consoleRunFile: lazyPage('GET', `${run}/files/:fileId`, async () => (await import('./run-files.ts')).downloadFile),
};
