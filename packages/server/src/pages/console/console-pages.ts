import type { Page } from '../page.ts';
import { consolePaths } from '../paths.ts';
import { keyPages } from './keys/key-pages.ts';
import { launchPages } from './launch/launch-pages.ts';
import { lazyPage } from './lazy-page.ts';
import { runPages } from './runs/run-pages.ts';
import { secretPages } from './secret/secret-pages.ts';
import { taskPages } from './tasks/task-pages.ts';
import { webhookPages } from './webhooks/webhook-pages.ts';

/** The pages of the console, by their names in the log and the metrics. */
export const consolePages: Readonly<Record<string, Page>> = {
  ...taskPages,
  ...runPages,
  ...launchPages,
  ...keyPages,
  ...webhookPages,
  ...secretPages,
  consoleFile: lazyPage(
    'GET',
    `${consolePaths.files}/:fileId`,
    async () => (await import('./download-file.ts')).downloadFile,
  ),
};
