import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

/** The page on which owners and admins change the organization, and see its plan and use. */
export const organizationPages: Readonly<Record<string, Page>> = {
  consoleOrganization: lazyPage(
    'GET',
    consolePaths.organization,
    async () => (await import('./show-organization.ts')).showOrganization,
  ),
  consoleChangeOrganization: lazyPage(
    'POST',
    consolePaths.organization,
    async () => (await import('./change-organization.ts')).changeOrganization,
  ),
};
