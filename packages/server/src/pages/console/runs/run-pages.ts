import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

const bulk = `${consolePaths.runs}/bulk` as const;
const run = `${consolePaths.runs}/:id` as const;

/** The pages with runs: their list, each of them, and what can be changed. */
export const runPages: Readonly<Record<string, Page>> = {
  consoleRuns: lazyPage('GET', consolePaths.runs, async () => (await import('./list.ts')).showRuns),
  consoleAskForBulk: lazyPage('GET', bulk, async () => (await import('./bulk.ts')).askForBulk),
  consoleChangeRuns: lazyPage('POST', bulk, async () => (await import('./bulk.ts')).changeRuns),
  consoleRun: lazyPage('GET', run, async () => (await import('./run.ts')).showRun),
  consoleAskForChange: lazyPage('GET', `${run}/change`, async () => (await import('./change-run.ts')).askForChange),
  consoleChangeRun: lazyPage('POST', `${run}/change`, async () => (await import('./change-run.ts')).changeRun),
  consoleMigration: lazyPage('GET', `${run}/migrate`, async () => (await import('./migrate-run.ts')).showMigration),
  consoleMigrate: lazyPage('POST', `${run}/migrate`, async () => (await import('./migrate-run.ts')).migrateRun),
};
