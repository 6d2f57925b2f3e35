import { limits } from '@runward/contract';
import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { pagesBelow } from '../lazy-page.ts';

const page = pagesBelow(consolePaths.tasks);
const linking = () => import('./create-form-link.ts');

/**
 * The most bytes of the form of a task: a byte of a text takes three characters in a form, and the values of a run
 * have a limit. The rest is for names and hidden fields.
 */
export const maximumFormBytes = 3 * limits.runBytes.default + 300_000;

/** The most bytes of a file, which is what the endpoint accepts. */
const maximumFileBytes = 25 * 1024 * 1024;

/** The pages on which people do their tasks. */
export const taskPages: Readonly<Record<string, Page>> = {
  consoleTasks: page('GET', '', async () => (await import('./inbox.ts')).showInbox),
  consoleTask: page('GET', '/:runTaskId', async () => (await import('./show-task.ts')).showTask),
  submitConsoleTask: page('POST', '/:runTaskId', async () => (await import('./submit-task.ts')).submitTask, {
    maximumFormBytes,
  }),
  consoleCreateFormLink: page('POST', '/:runTaskId/form-link', async () => (await linking()).createFormLink),
  consoleRevokeFormLink: page(
    'POST',
    '/:runTaskId/form-links/:formLink/revoke',
    async () => (await import('./revoke-form-link.ts')).revokeFormLink,
  ),
  consoleUpload: page('GET', '/:runTaskId/files', async () => (await import('./files.ts')).showUpload),
  submitConsoleUpload: page('POST', '/:runTaskId/files', async () => (await import('./files.ts')).uploadFile, {
    maximumFileBytes,
  }),
};
