import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

const task = `${consolePaths.tasks}/:runTaskId` as const;

/** The most bytes of a form with long texts. */
const maximumFormBytes = 1_000_000;

/** The most bytes of a file, which is what the endpoint accepts. */
const maximumFileBytes = 25 * 1024 * 1024;

/** The pages on which people do their tasks. */
export const taskPages: Readonly<Record<string, Page>> = {
  consoleTasks: lazyPage('GET', consolePaths.tasks, async () => (await import('./inbox.ts')).showInbox),
  consoleTask: lazyPage('GET', task, async () => (await import('./show-task.ts')).showTask),
  submitConsoleTask: lazyPage('POST', task, async () => (await import('./submit-task.ts')).submitTask, {
    maximumFormBytes,
  }),
  consoleCreateFormLink: lazyPage(
    'POST',
    `${task}/form-link`,
    async () => (await import('./create-form-link.ts')).createFormLink,
  ),
  consoleRevokeFormLink: lazyPage(
    'POST',
    `${task}/form-links/:formLink/revoke`,
    async () => (await import('./revoke-form-link.ts')).revokeFormLink,
  ),
  consoleUpload: lazyPage('GET', `${task}/files`, async () => (await import('./files.ts')).showUpload),
  submitConsoleUpload: lazyPage('POST', `${task}/files`, async () => (await import('./files.ts')).uploadFile, {
    maximumFileBytes,
  }),
};
