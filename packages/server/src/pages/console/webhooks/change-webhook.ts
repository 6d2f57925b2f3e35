import type { EventName } from '@runward/sdk';
import type { Redirect } from '../../page.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { shownAgain } from './shown-again.ts';
import { deliveryPath, webhookPath } from './webhook-path.ts';
import { showWebhook } from './webhook.ts';

/** Enables or disables a webhook. */
export async function setEnabled(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const enabled = request.form.get('enabled') === 'true';
  return change(request, async (id) => {
    await request.api.webhooks.update(id, { enabled });
    return `${webhookPath(id)}?notice=${enabled ? 'webhookEnabled' : 'webhookDisabled'}`;
  });
}

/** Sends a test, and leads to its delivery. */
export async function sendTest(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const event = request.form.get('event');
  return change(request, async (id) => {
    // The endpoint rejects any other name.
    const delivery = await request.api.webhooks.test(id, event === null ? {} : { event: event as EventName });
    return `${deliveryPath(delivery)}?notice=tested`;
  });
}

async function change(
  request: ConsoleRequest,
  apply: (id: string) => Promise<string>,
): Promise<ConsoleView | Redirect> {
  const id = request.params['id'] ?? '';
  try {
    return { redirectTo: await apply(id) };
  } catch (error) {
    return shownAgain(error, request, { path: webhookPath(id), show: showWebhook });
  }
}
