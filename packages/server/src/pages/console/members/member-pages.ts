import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { ShowConsole } from '../console-page.ts';
import { lazyPage } from '../lazy-page.ts';

/** The pages on which owners and admins manage members. */
export const memberPages: Readonly<Record<string, Page>> = {
  consoleMembers: page('GET', '', async () => (await import('./list-members.ts')).listMembers),
  consoleNewMember: page('GET', '/new', async () => (await import('./add-member.ts')).newMember),
  consoleAddMember: page('POST', '/new', async () => (await import('./add-member.ts')).addMember),
  consoleMember: page('GET', '/:id', async () => (await import('./show-member.ts')).showMember),
  consoleChangeMember: page('POST', '/:id', async () => (await import('./change-member.ts')).changeMember),
  consoleSetPassword: page('POST', '/:id/password', async () => (await import('./change-member.ts')).setPassword),
  consoleChangeAccess: page('POST', '/:id/access', async () => (await import('./change-member.ts')).changeAccess),
  consoleCreatePasswordLink: page(
    'POST',
    '/:id/password-link',
    async () => (await import('./password-link.ts')).createPasswordLink,
  ),
  consoleRevokePasswordLink: page(
    'POST',
    '/:id/password-link/revoke',
    async () => (await import('./password-link.ts')).revokePasswordLink,
  ),
  consoleRemovePasskeys: page(
    'POST',
    '/:id/passkeys/remove',
    async () => (await import('./remove-passkeys.ts')).deletePasskeys,
  ),
  consoleDeactivation: page(
    'GET',
    '/:id/deactivate',
    async () => (await import('./deactivate-member.ts')).confirmDeactivation,
  ),
  consoleDeactivateMember: page(
    'POST',
    '/:id/deactivate',
    async () => (await import('./deactivate-member.ts')).deactivateMember,
  ),
  consoleReactivateMember: page(
    'POST',
    '/:id/reactivate',
    async () => (await import('./change-member.ts')).reactivateMember,
  ),
};

function page(method: Page['method'], path: string, load: () => Promise<ShowConsole>): Page {
  return lazyPage(method, `${consolePaths.members}${path}`, async () => administratorsOnly(await load()));
}
