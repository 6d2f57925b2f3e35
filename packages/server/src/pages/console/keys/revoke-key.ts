import { contract } from '@runward/contract';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';

/** Asks whether to revoke a key, because that cannot be undone. */
export async function confirmRevocation({ path, csrf }: ConsoleRequest): Promise<ConsoleView> {
  const main = html`<p>
      Programs that use this key get an error from their next request on. A revoked key cannot be restored.
    </p>
    <form class="actions" method="post" action="${path}">
      ${csrf}
      <button type="submit">Revoke the key</button>
      <a class="button quiet" href="${consolePaths.keys}">Keep it</a>
    </form>`;
  return { title: 'Revoke this key?', section: 'keys', main };
}

/** Revokes a key. */
export async function revokeKey({ api, params }: ConsoleRequest): Promise<Redirect> {
  await call(api, contract.apiKeys.revoke, { params });
  return { redirectTo: `${consolePaths.keys}?notice=revoked` };
}
