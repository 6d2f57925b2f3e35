import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { confirmForm } from '../forms/confirm-form.ts';
import { webhookPath } from './webhook-path.ts';

/** Asks whether to delete a webhook, and says how many deliveries that concerns. */
export async function confirmDeletion(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, params, formats } = request;
  const { id, name, enabled } = await api.webhooks.get(params['id'] ?? '');
  const countOf = async (filters: { readonly status?: 'PENDING' }) =>
    formats.total(await api.webhooks.webhookDeliveries(id, { ...filters, limit: 1, total: 'bounded' }));
  const [all, pending] = await Promise.all([countOf({}), countOf({ status: 'PENDING' })]);
  const main = html`<p>
      It receives no more events. Its deliveries are deleted, too: ${all}, of which ${pending} are still to be sent. The
      events stay in the event feed.
    </p>
    ${enabled && html`<p>To stop deliveries for some time only, disable the webhook instead.</p>`}
    ${confirmForm(request, { button: 'Delete the webhook', back: webhookPath(id) })}`;
  return { title: `Delete ${name}?`, section: 'webhooks', main };
}

/** Deletes a webhook. */
export async function deleteWebhook({ api, params }: ConsoleRequest): Promise<Redirect> {
  await api.webhooks.delete(params['id'] ?? '');
  return { redirectTo: `${consolePaths.webhooks}?notice=webhookDeleted` };
}
