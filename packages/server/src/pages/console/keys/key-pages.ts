import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import type { ShowConsole } from '../console-page.ts';
import { lazyPage } from '../lazy-page.ts';

/** The pages on which owners and admins manage API keys. */
export const keyPages: Readonly<Record<string, Page>> = {
  consoleKeys: page('GET', '', async () => (await import('./list-keys.ts')).listKeys),
  consoleNewKey: page('GET', '/new', async () => (await import('./create-key.ts')).newKey),
  consoleCreateKey: page('POST', '/new', async () => (await import('./create-key.ts')).createKey),
  consoleRevokeKey: page('GET', '/:id/revoke', async () => (await import('./revoke-key.ts')).confirmRevocation),
  consoleRevokedKey: page('POST', '/:id/revoke', async () => (await import('./revoke-key.ts')).revokeKey),
};

function page(method: Page['method'], path: string, load: () => Promise<ShowConsole>): Page {
  return lazyPage(method, `${consolePaths.keys}${path}`, async () => administratorsOnly(await load()));
}
