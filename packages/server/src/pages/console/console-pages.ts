import type { Page } from '../page.ts';
import { consolePaths } from '../paths.ts';
import { accountPages } from './account/account-pages.ts';
import { auditLogPages } from './audit-log/audit-log-pages.ts';
import { commentPages } from './comments/comment-pages.ts';
import { folderPages } from './folders/folder-pages.ts';
import { grantPages } from './grants/grant-pages.ts';
import { groupPages } from './groups/group-pages.ts';
import { keyPages } from './keys/key-pages.ts';
import { launchPages } from './launch/launch-pages.ts';
import { lazyPage } from './lazy-page.ts';
import { mailPages } from './mails/mail-pages.ts';
import { memberPages } from './members/member-pages.ts';
import { organizationPages } from './organization/organization-pages.ts';
import { overviewPages } from './overview/overview-pages.ts';
import { runPages } from './runs/run-pages.ts';
import { searchPages } from './search/search-pages.ts';
import { secretPages } from './secret/secret-pages.ts';
import { taskPages } from './tasks/task-pages.ts';
import { webhookPages } from './webhooks/webhook-pages.ts';

/** The pages of the console, by their names in the log and the metrics. */
export const consolePages: Readonly<Record<string, Page>> = {
  ...overviewPages,
  ...searchPages,
  ...taskPages,
  ...runPages,
  ...commentPages,
  ...launchPages,
  ...accountPages,
  ...organizationPages,
  ...memberPages,
  ...groupPages,
  ...grantPages,
  ...folderPages,
  ...keyPages,
  ...webhookPages,
  ...mailPages,
  ...auditLogPages,
  ...secretPages,
  consoleFile: lazyPage(
    'GET',
    `${consolePaths.files}/:fileId`,
    async () => (await import('./download-file.ts')).downloadFile,
  ),
};
