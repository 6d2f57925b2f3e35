import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { lazyPage } from '../lazy-page.ts';

/** The page on which owners and admins see what was done to administer the organization. */
export const auditLogPages: Readonly<Record<string, Page>> = {
  consoleAuditLog: lazyPage('GET', consolePaths.auditLog, async () =>
    administratorsOnly((await import('./list-lines.ts')).listLines),
  ),
};
