import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { lazyPage } from '../lazy-page.ts';

/** What owners and admins grant on the pages of members and groups. */
export const grantPages: Readonly<Record<string, Page>> = {
  consoleGrant: lazyPage('POST', consolePaths.grants, async () =>
    administratorsOnly((await import('./change-grants.ts')).grant),
  ),
  consoleRevokeGrant: lazyPage('POST', `${consolePaths.grants}/:id/revoke`, async () =>
    administratorsOnly((await import('./change-grants.ts')).revokeGrant),
  ),
};
