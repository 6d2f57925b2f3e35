import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { lazyPage } from '../lazy-page.ts';

/** The pages on which owners and admins manage API keys. */
export const keyPages: Readonly<Record<string, Page>> = {
  consoleKeys: lazyPage('GET', consolePaths.keys, async () => (await import('./list-keys.ts')).listKeys),
  consoleNewKey: lazyPage('GET', `${consolePaths.keys}/new`, async () => (await import('./create-key.ts')).newKey),
  consoleCreateKey: lazyPage(
    'POST',
    `${consolePaths.keys}/new`,
    async () => (await import('./create-key.ts')).createKey,
  ),
  consoleRevokeKey: lazyPage(
    'GET',
    `${consolePaths.keys}/:id/revoke`,
    async () => (await import('./revoke-key.ts')).confirmRevocation,
  ),
  consoleRevokedKey: lazyPage(
    'POST',
    `${consolePaths.keys}/:id/revoke`,
    async () => (await import('./revoke-key.ts')).revokeKey,
  ),
};
