import { contract } from '@runward/contract';
import { notFound } from '../../../api-error.ts';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { confirmForm } from '../forms/confirm-form.ts';

/** Asks whether to revoke a key, because that cannot be undone. */
export async function confirmRevocation(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, params } = request;
  // One page holds all active keys of an organization.
  const { data } = await call(api, contract.apiKeys.list);
  const key = data.find(({ id }) => id === params['id']);
  if (!key) throw notFound('API key');
  const main = html`<p>
      Programs that use <strong><bdi>${key.name}</bdi></strong> (<code>${key.keyPrefix}</code>) get an error from their
      next request on. A revoked key cannot be restored.
    </p>
    ${confirmForm(request, { button: 'Revoke the key', back: consolePaths.keys })}`;
  return { title: 'Revoke this key?', section: 'keys', main };
}

/** Revokes a key. */
export async function revokeKey({ api, params }: ConsoleRequest): Promise<Redirect> {
  await call(api, contract.apiKeys.revoke, { params });
  return { redirectTo: `${consolePaths.keys}?notice=revoked` };
}
