import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { pagesBelow } from '../lazy-page.ts';

const page = pagesBelow(consolePaths.members, administratorsOnly);
const changing = () => import('./change-member.ts');
const linking = () => import('./password-link.ts');
const deactivating = () => import('./deactivate-member.ts');

/** The pages on which owners and admins manage members. */
export const memberPages: Readonly<Record<string, Page>> = {
  consoleMembers: page('GET', '', async () => (await import('./list-members.ts')).listMembers),
  consoleNewMember: page('GET', '/new', async () => (await import('./add-member.ts')).newMember),
  consoleAddMember: page('POST', '/new', async () => (await import('./add-member.ts')).addMember),
  consoleMember: page('GET', '/:id', async () => (await import('./show-member.ts')).showMember),
  consoleChangeMember: page('POST', '/:id', async () => (await changing()).changeMember),
  consoleSetPassword: page('POST', '/:id/password', async () => (await changing()).setPassword),
  consoleChangeAccess: page('POST', '/:id/access', async () => (await changing()).changeAccess),
  consoleCreatePasswordLink: page('POST', '/:id/password-link', async () => (await linking()).createPasswordLink),
  consoleRevokePasswordLink: page(
    'POST',
    '/:id/password-link/revoke',
    async () => (await changing()).revokePasswordLink,
  ),
  consoleRemovePasskeys: page('POST', '/:id/passkeys/remove', async () => (await changing()).deletePasskeys),
  consoleDeactivation: page('GET', '/:id/deactivate', async () => (await deactivating()).confirmDeactivation),
  consoleDeactivateMember: page('POST', '/:id/deactivate', async () => (await deactivating()).deactivateMember),
  consoleReactivateMember: page('POST', '/:id/reactivate', async () => (await changing()).reactivateMember),
};
