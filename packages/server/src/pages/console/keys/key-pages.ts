import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { pagesBelow } from '../lazy-page.ts';

const page = pagesBelow(consolePaths.keys, administratorsOnly);

/** A form can name a thousand templates. */
const maximumFormBytes = 65_536;

/** The pages on which owners and admins manage API keys. */
export const keyPages: Readonly<Record<string, Page>> = {
  consoleKeys: page('GET', '', async () => (await import('./list-keys.ts')).listKeys),
  consoleNewKey: page('GET', '/new', async () => (await import('./create-key.ts')).newKey),
  consoleCreateKey: page('POST', '/new', async () => (await import('./create-key.ts')).createKey, { maximumFormBytes }),
  consoleRevokeKey: page('GET', '/:id/revoke', async () => (await import('./revoke-key.ts')).confirmRevocation),
  consoleRevokedKey: page('POST', '/:id/revoke', async () => (await import('./revoke-key.ts')).revokeKey),
};
