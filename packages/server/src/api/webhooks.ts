import type { Contract } from '@runward/contract';
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { Webhook } from '../db/entities/webhook.ts';
import { badRequest, found } from '../fault.ts';
import { newId } from '../ids.ts';
import type { Handlers, Scene } from './handler.ts';
import { decodeCursor, pageOf } from './paging.ts';
import { presentWebhook } from './present-webhook.ts';
import { pageOfDeliveries, readDelivery, replay, resend, sendTest } from './webhook-deliveries.ts';
import { ensureHearing, findWebhooks, reachWebhook } from './webhook-reach.ts';

/** Most webhooks an organization can have. */
const mostWebhooks = 50;

/** Webhooks and their deliveries (spec: Webhooks). */
export const webhooks: Handlers<Contract['webhooks']> = {
  list: async ({ query: { limit, cursor }, ...scene }) => {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, 'id')[0];
    const all = await findWebhooks(scene);
    const rows = after === undefined ? all : all.filter(({ id }) => id < after);
    return pageOf(rows, limit, all.length, presentWebhook, ({ id }) => [id]);
  },

  create: async ({ body, ...scene }) => {
    const { em, actor, now, outbound } = scene;
    const { enabled = true, templateMode = 'ALL_FLOWS', templateIds = [], description = null, ...given } = body;
    await ensureHearing(scene, { templateMode, templateIds });
    await outbound.ensureAllowed(given.url);
    await ensureRoom(scene);
    const webhook = em.create(Webhook, {
      ...given,
      id: newId(),
      organizationId: actor.organizationId,
      enabled,
      templateMode,
      templateIds,
      description,
      createdAt: now,
      updatedAt: now,
    });
    await em.flush();
    return presentWebhook(webhook);
  },

  deliveries: async ({ query: { webhookId, ...query }, ...scene }) => {
    if (webhookId === undefined && scene.actor.reach.mode === 'ALL') return pageOfDeliveries(scene, null, query);
    const ids = (await findWebhooks(scene)).map(({ id }) => id);
    return pageOfDeliveries(scene, webhookId === undefined ? ids : ids.filter((id) => id === webhookId), query);
  },

  get: async ({ params, ...scene }) => presentWebhook(await reachWebhook(scene, params.id)),

  update: async ({ params, body, ...scene }) => {
    const { em, actor, now, outbound, wake } = scene;
    await reachWebhook(scene, params.id);
    // Looking a name up takes time, in which nobody must wait for the row.
    if (body.url !== undefined) await outbound.ensureAllowed(body.url);
    const webhook = found(
      await em.findOne(
        Webhook,
        { id: params.id, organizationId: actor.organizationId },
        { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
      ),
      'Webhook',
    );
    const {
      name = webhook.name,
      url = webhook.url,
      enabledEvents = webhook.enabledEvents,
      enabled = webhook.enabled,
      templateMode = webhook.templateMode,
      templateIds = templateMode === webhook.templateMode ? webhook.templateIds : [],
      description = webhook.description ?? null,
    } = body;
    if (body.templateMode ?? body.templateIds) await ensureHearing(scene, { templateMode, templateIds });
    Object.assign(webhook, { name, url, enabledEvents, enabled, templateMode, templateIds, description });
    webhook.updatedAt = now;
    if (body.enabled) {
      Object.assign(webhook, { disabledReason: null, disabledAt: null, failingSince: null });
      wake();
    }
    await em.flush();
    return presentWebhook(webhook);
  },

  remove: async ({ params, ...scene }) => {
    await scene.em.remove(await reachWebhook(scene, params.id)).flush();
  },

  test: async ({ params, body, ...scene }) => {
    const { id, enabledEvents } = await reachWebhook(scene, params.id);
    const event = body?.event ?? enabledEvents[0];
    if (event === undefined) throw badRequest(['event: must be named; the webhook hears of none by itself']);
    return sendTest(scene, id, event);
  },

  webhookDeliveries: async ({ params, query, ...scene }) => {
    const { id } = await reachWebhook(scene, params.id);
    return pageOfDeliveries(scene, [id], query);
  },

  delivery: async ({ params, ...scene }) => {
    const { id } = await reachWebhook(scene, params.id);
    return readDelivery(scene, id, params.deliveryId);
  },

  resend: async ({ params, ...scene }) => {
    const webhook = await reachWebhook(scene, params.id);
    return resend(scene, webhook, params.deliveryId);
  },

  replay: async ({ params, body, ...scene }) => {
    const webhook = await reachWebhook(scene, params.id);
    return replay(scene, webhook, body);
  },
};

/** Throws a 400 where the organization has as many webhooks as it may. Creations come one after the other until they commit. */
async function ensureRoom({ em, actor: { organizationId } }: Scene): Promise<void> {
  await sql`select 1 from organizations where id = ${organizationId} for no key update`.execute(em.getKysely());
  if ((await em.count(Webhook, { organizationId })) < mostWebhooks) return;
  throw badRequest(`The organization has ${mostWebhooks} webhooks, the most there can be; delete one first.`);
}
