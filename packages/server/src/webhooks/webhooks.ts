import { LockMode } from '@mikro-orm/core';
import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { ensureCapability } from '../access/plan.ts';
import type { RequestContext } from '../access/request-context.ts';
import { ensureWebhookInScope } from '../access/resource-scope/webhooks.ts';
import { badRequest, found } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import { Organization } from '../organization/entities/organization.ts';
import { newSigningSecret, presentSigningSecret, rotateSigningSecret } from '../organization/signing-secret.ts';
import { pageById } from '../paging.ts';
import { webhookProperties, webhookTarget } from './audited.ts';
import { pageOfDeliveries, putInOrder, readDelivery, replay, resend, sendTest } from './deliveries.ts';
import { Webhook } from './entities/webhook.ts';
import { presentWebhook } from './present-webhook.ts';
import { orderDeliveries } from './queries/order-deliveries.ts';
import { ensureSubscription, findWebhooks, findWebhook } from './subscription.ts';

/** Maximum number of webhooks per organization. */
const maximumWebhooks = 50;

/** Webhooks and their deliveries (spec: Webhooks). */
export const webhooks: Handlers<Parts['webhooks']> = {
  list: async ({ query, ...context }) =>
    pageById(await findWebhooks(context), query, (webhook) => presentWebhook(webhook, context.actor)),

  create: async ({ body, ...context }) => {
    const { em, actor, now, ports } = context;
    const {
      enabled = true,
      ordered = false,
      templateMode = 'ALL_FLOWS',
      templateIds = [],
      description = null,
      ownSecret = false,
      ...given
    } = body;
    await ensureSubscription(context, { templateMode, templateIds });
    await ports.outbound.ensureAllowed(given.url);
    await ensureBelowWebhookLimit(context);
    const webhook = em.create(Webhook, {
      ...given,
      id: newId(),
      organizationId: actor.organizationId,
      enabled,
      ordered,
      templateMode,
      templateIds,
      description,
      signingSecret: ownSecret ? newSigningSecret() : null,
      createdAt: now,
      updatedAt: now,
    });
    await em.flush();
    const after = webhookProperties(webhook);
    await recordChange(context, { action: 'webhook.created', target: webhookTarget(webhook), after });
    return presentWebhook(webhook, actor);
  },

  deliveries: async ({ query: { webhookId, ...query }, ...context }) => {
    const all = await findWebhooks(context);
    return pageOfDeliveries(context, webhookId === undefined ? all : all.filter(({ id }) => id === webhookId), query);
  },

  get: async ({ params, ...context }) => presentWebhook(await findWebhook(context, params.id), context.actor),

  update: async ({ params, body, ...context }) => {
    const { em, actor, now, ports, wake } = context;
    const current = await findWebhook(context, params.id);
    if (body.enabled) ensureCapability(actor, 'webhooks');
    // Checked before the lock, because resolving a host name takes time, and others would wait for the row. A URL that
    // is stored meanwhile has been validated.
    if (body.url !== undefined || (body.enabled ?? current.enabled)) {
      await ports.outbound.ensureAllowed(body.url ?? current.url);
    }
    const webhook = await lockWebhook(context, params.id);
    const before = webhookProperties(webhook);
    const {
      name = webhook.name,
      url = webhook.url,
      enabledEvents = webhook.enabledEvents,
      enabled = webhook.enabled,
      ordered = webhook.ordered,
      templateMode = webhook.templateMode,
      templateIds = templateMode === webhook.templateMode ? webhook.templateIds : [],
      description = webhook.description ?? null,
    } = body;
    if (body.templateMode ?? body.templateIds) {
      await ensureSubscription(context, { templateMode, templateIds }, webhook.templateIds);
    }
    if (ordered && !webhook.ordered) await putInOrder(context, webhook);
    // What failed was another receiver.
    if (url !== webhook.url) webhook.failingSince = null;
    Object.assign(webhook, { name, url, enabledEvents, enabled, ordered, templateMode, templateIds, description });
    if (body.ownSecret !== undefined) setOwnSecret(webhook, body.ownSecret);
    webhook.updatedAt = now;
    if (body.enabled) {
      Object.assign(webhook, { disabledReason: null, disabledAt: null, failingSince: null });
      wake();
    }
    await em.flush();
    const after = webhookProperties(webhook);
    await recordChange(context, { action: 'webhook.updated', target: webhookTarget(webhook), before, after });
    return presentWebhook(webhook, actor);
  },

  delete: async ({ params, ...context }) => {
    const webhook = await lockWebhook(context, params.id);
    const before = webhookProperties(webhook);
    await context.em.remove(webhook).flush();
    await recordChange(context, { action: 'webhook.deleted', target: webhookTarget(webhook), before });
  },

  secret: async ({ params, ...context }) => {
    const webhook = await findWebhook(context, params.id);
    ensureOwnSecret(webhook);
    return presentSigningSecret(webhook, context.now);
  },

  rotateSecret: async ({ params, body, ...context }) => {
    const webhook = await lockWebhook(context, params.id);
    ensureOwnSecret(webhook);
    const after = rotateSigningSecret(webhook, body, context.now);
    webhook.updatedAt = context.now;
    await context.em.flush();
    await recordChange(context, { action: 'signing_secret.rotated', target: webhookTarget(webhook), after });
    return presentSigningSecret(webhook, context.now);
  },

  test: async ({ params, body, ...context }) => {
    const webhook = await findWebhook(context, params.id);
    const event = body?.event ?? webhook.enabledEvents[0];
    if (event === undefined) throw badRequest(['event: required, because the webhook is not subscribed to any event']);
    return sendTest(context, webhook, event);
  },

  webhookDeliveries: async ({ params, query, ...context }) => {
    return pageOfDeliveries(context, [await findWebhook(context, params.id)], query);
  },

  delivery: async ({ params, ...context }) => {
    return readDelivery(context, await findWebhook(context, params.id), params.deliveryId);
  },

  resend: async ({ params, ...context }) => {
    const webhook = await findWebhook(context, params.id);
    const delivery = await resend(context, webhook, params.deliveryId);
    const after = { deliveryId: delivery.id, event: delivery.event };
    await recordChange(context, { action: 'webhook.delivery_resent', target: webhookTarget(webhook), after });
    return delivery;
  },

  replay: async ({ params, body, ...context }) => {
    const webhook = await findWebhook(context, params.id);
    const replayed = await replay(context, webhook, body);
    if (replayed.dryRun) return replayed;
    // The row is locked, because the webhook may become ordered meanwhile.
    const { ordered, organizationId } = await lockWebhook(context, params.id);
    if (ordered) await orderDeliveries(context.em, organizationId, params.id);
    const after = { ...body, count: replayed.count };
    await recordChange(context, { action: 'webhook.deliveries_replayed', target: webhookTarget(webhook), after });
    return replayed;
  },
};

/** A webhook that the caller may manage, read again and locked. Throws a 404 or 403. */
async function lockWebhook({ em, actor }: RequestContext, id: string): Promise<Webhook> {
  const { organizationId } = actor;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const webhook = found(await em.findOne(Webhook, { id, organizationId }, lock), 'Webhook');
  await ensureWebhookInScope(em, actor, webhook);
  return webhook;
}

/** Gives a webhook a secret of its own, or takes it away. */
function setOwnSecret(webhook: Webhook, ownSecret: boolean): void {
  if (ownSecret === (webhook.signingSecret != null)) return;
  const signingSecret = ownSecret ? newSigningSecret() : null;
  Object.assign(webhook, { signingSecret, previousSigningSecret: null, previousSigningSecretExpiresAt: null });
}

function ensureOwnSecret({ signingSecret }: Webhook): void {
  if (signingSecret != null) return;
  throw badRequest('no_own_secret', 'The webhook has no signing secret of its own; set ownSecret to true first.');
}

/**
 * Throws a 400 if the organization has reached its limit of webhooks. Creations wait for each other until they commit.
 */
async function ensureBelowWebhookLimit({ em, actor: { organizationId } }: RequestContext): Promise<void> {
  await lockRow(em, Organization, { id: organizationId }, 'no key update');
  if ((await em.count(Webhook, { organizationId })) < maximumWebhooks) return;
  throw badRequest('limit_reached', `The organization has ${maximumWebhooks} webhooks, the maximum; delete one first.`);
}
