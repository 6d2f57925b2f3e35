import type { Page } from '../page.ts';
import { consolePaths } from '../paths.ts';
import { accountPages } from './account/account-pages.ts';
import { administratorsOnly } from './administrators-only.ts';
import { commentPages } from './comments/comment-pages.ts';
import { folderPages } from './folders/folder-pages.ts';
import { groupPages } from './groups/group-pages.ts';
import { keyPages } from './keys/key-pages.ts';
import { launchPages } from './launch/launch-pages.ts';
import { lazyPage } from './lazy-page.ts';
import { mailPages } from './mails/mail-pages.ts';
import { memberPages } from './members/member-pages.ts';
import { runPages } from './runs/run-pages.ts';
import { taskPages } from './tasks/task-pages.ts';
import { webhookPages } from './webhooks/webhook-pages.ts';

/** The pages of the console, by their names in the log and the metrics. */
export const consolePages: Readonly<Record<string, Page>> = {
  console: lazyPage('GET', consolePaths.home, async () => (await import('./overview/overview.ts')).showOverview),
  consoleSearch: lazyPage('GET', consolePaths.search, async () => (await import('./search/search.ts')).showSearch),
  ...taskPages,
  ...runPages,
  ...commentPages,
  ...launchPages,
  ...accountPages,
  consoleOrganization: lazyPage(
    'GET',
    consolePaths.organization,
    async () => (await import('./organization/show-organization.ts')).showOrganization,
  ),
  consoleChangeOrganization: lazyPage(
    'POST',
    consolePaths.organization,
    async () => (await import('./organization/change-organization.ts')).changeOrganization,
  ),
  ...memberPages,
  ...groupPages,
  consoleGrant: lazyPage('POST', consolePaths.grants, async () =>
    administratorsOnly((await import('./grants/change-grants.ts')).grant),
  ),
  consoleRevokeGrant: lazyPage('POST', `${consolePaths.grants}/:id/revoke`, async () =>
    administratorsOnly((await import('./grants/change-grants.ts')).revokeGrant),
  ),
  ...folderPages,
  ...keyPages,
  ...webhookPages,
  ...mailPages,
  consoleAuditLog: lazyPage('GET', consolePaths.auditLog, async () =>
    administratorsOnly((await import('./audit-log/list-lines.ts')).listLines),
  ),
  consoleSecret: lazyPage('GET', consolePaths.secret, async () => (await import('./secret/secret.ts')).showSecret),
  consoleRotateSecret: lazyPage('POST', `${consolePaths.secret}/rotate`, async () =>
    administratorsOnly((await import('./secret/rotate-secret.ts')).rotateSecret),
  ),
  consoleFile: lazyPage(
    'GET',
    `${consolePaths.files}/:fileId`,
    async () => (await import('./download-file.ts')).downloadFile,
  ),
};
