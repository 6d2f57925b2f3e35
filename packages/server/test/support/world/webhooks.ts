import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import type { Builder, World } from './world.ts';

/** Registers a webhook that hears of the template's runs. */
export async function newWebhookId({ api, receiverUrl: url }: Builder, template: string): Promise<string> {
  const hearing = { templateMode: 'SELECTED_TEMPLATES' as const, templateIds: [template] };
  const body = { name: 'ERP import', url, enabledEvents: ['run.started' as const], ...hearing };
  return (await must(api.call('webhooks', 'create', { body }))).id;
}

/** The newest delivery of a webhook, once it has arrived. */
export async function deliveryIdOf({ api }: Builder, webhook: string): Promise<string> {
  const list = () => must(api.call('webhooks', 'webhookDeliveries', { params: { id: webhook } }));
  await until(async () => (await list()).data.some(({ status }) => status === 'SUCCEEDED'), 'a delivery');
  return (await list()).data[0]?.id ?? '';
}

/** Registers a webhook with a signing secret of its own. */
export async function newWebhookWithSecret(world: World): Promise<string> {
  const webhook = await newWebhookId(world, world.ids.template);
  await must(world.api.call('webhooks', 'update', { params: { id: webhook }, body: { ownSecret: true } }));
  return webhook;
}
