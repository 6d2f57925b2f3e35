import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { deliveryIdOf, newWebhookId, newWebhookWithSecret } from '../world/webhooks.ts';
import type { Ids, World } from '../world/world.ts';
import { boundedList, type Examples } from './example.ts';

/** Deletes the webhooks that many calls have left, because an organization can have 50. */
async function makeRoom({ api, ids }: World): Promise<void> {
  const { data, total } = await must(api.call('webhooks', 'list'));
  if (total < 40) return;
  for (const { id } of data) if (id !== ids.webhook) await must(api.call('webhooks', 'delete', { params: { id } }));
}

async function freshWebhook(world: World): Promise<Partial<Ids>> {
  await makeRoom(world);
  const webhook = await newWebhookId(world, world.ids.template);
  await must(world.api.call('webhooks', 'test', { params: { id: webhook } }));
  return { webhook, delivery: await deliveryIdOf(world, webhook) };
}

async function webhookWithSecret(world: World): Promise<Partial<Ids>> {
  await makeRoom(world);
  return { webhook: await newWebhookWithSecret(world) };
}

/** A delivery is sent again only when no attempt of it is under way. */
async function settledWebhook(world: World): Promise<Partial<Ids>> {
  const { webhook = '', delivery = '' } = await freshWebhook(world);
  const params = { id: webhook, deliveryId: delivery };
  const isSettled = async () => (await must(world.api.call('webhooks', 'delivery', { params }))).status !== 'PENDING';
  await until(isSettled, 'the test delivery');
  return { webhook, delivery };
}

const range = { from: '2026-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
const filters = { event: 'run.started', status: 'SUCCEEDED', ...range, limit: 10 } as const;

/** Calls of webhooks and their deliveries. */
export const webhookExamples = {
  webhooks: {
    create: [
      {
        body: ({ template }, { receiverUrl: url }) => ({
          name: 'ERP import',
          url,
          enabledEvents: ['run.started'],
          enabled: true,
          ordered: true,
          templateMode: 'SELECTED_TEMPLATES',
          templateIds: [template],
          ownSecret: true,
          description: 'Creates the supplier in the ERP.',
        }),
      },
    ],
    deliveries: [{ query: ({ webhook }) => ({ webhookId: webhook, ...filters }) }, boundedList],
    webhookDeliveries: [{ query: () => filters }, boundedList],
    test: [{ body: () => ({ event: 'run.started' }) }],
    update: [
      {
        body: ({ template }, { receiverUrl: url }) => ({
          name: 'ERP import EMEA',
          url,
          enabledEvents: ['run.started'],
          enabled: true,
          ordered: true,
          templateMode: 'SELECTED_TEMPLATES',
          templateIds: [template],
          ownSecret: true,
          description: 'Creates the supplier in the ERP.',
        }),
      },
    ],
    secret: [{ before: webhookWithSecret }],
    rotateSecret: [{ before: webhookWithSecret, body: () => ({ overlapHours: 0 }) }],
    delete: [{ before: freshWebhook }],
    resend: [{ before: settledWebhook }],
    replay: [
      {
        body: () => ({ ...range, events: ['run.started'], dryRun: false }),
      },
    ],
  },
  events: {
    list: [{ query: () => ({ events: ['run.started', 'task.ready'], limit: 10 }) }],
  },
} as const satisfies Examples;
