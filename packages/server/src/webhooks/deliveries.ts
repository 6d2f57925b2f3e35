import { LockMode } from '@mikro-orm/core';
import type { Body, Contract, EventName, Query } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import type { RequestContext } from '../access/request-context.ts';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { badRequest, found } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { newIdAt } from '../ids.ts';
import { countLimit, decodeCursor, pageOf } from '../paging.ts';
import { Event } from './entities/event.ts';
import { queues, WebhookDelivery } from './entities/webhook-delivery.ts';
import type { Webhook } from './entities/webhook.ts';
import { newBody } from './events-of.ts';
import { presentDelivery } from './present-webhook.ts';
import { listDeliveries } from './queries/list-deliveries.ts';
import { orderDeliveries } from './queries/order-deliveries.ts';
import { lockFeed } from './queries/place-events.ts';
import { countFailed, replayFailed } from './queries/replay-deliveries.ts';
import { testData } from './test-data.ts';

/** A page of deliveries of these webhooks, newest first. */
export async function pageOfDeliveries(
  { em, actor, ports, now }: RequestContext,
  webhooks: readonly Webhook[],
  { limit: size, cursor, total: mode, ...filters }: Query<Contract['webhooks']['webhookDeliveries']>,
) {
  const before = cursor === undefined ? undefined : decodeCursor(cursor, 'id')[0];
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  const selection = { actor, webhookIds: [...byId.keys()], ...filters };
  const most = countLimit({ limit: size, total: mode }, ports.limits);
  const page = { limit: size, bytes: ports.limits.pageBytes, before, most };
  return pageOf(
    await listDeliveries(em, selection, page),
    (row) => presentDelivery(row, row.body, isInProgress(row, byId.get(row.webhookId), now)),
    ({ recordId }) => [recordId],
  );
}

/** A delivery of a webhook. Throws a 404, or a 403 if its event is outside the resource scope. */
export async function readDelivery({ em, actor, now }: RequestContext, webhook: Webhook, id: string) {
  const { organizationId } = actor;
  const webhookId = webhook.id;
  const delivery = found(await em.findOne(WebhookDelivery, { organizationId, webhookId, recordId: id }), 'Delivery');
  const { body } = await eventOf(em, actor, delivery);
  return presentDelivery(delivery, body, isInProgress(delivery, webhook, now));
}

/** Whether a worker sends a delivery now, or next: it is due, and a worker holds its webhook. */
function isInProgress(
  { nextAttemptAt }: Pick<WebhookDelivery, 'nextAttemptAt'>,
  webhook: Pick<Webhook, 'leasedUntil'> | undefined,
  now: Date,
): boolean {
  return nextAttemptAt != null && nextAttemptAt <= now && webhook?.leasedUntil != null && webhook.leasedUntil > now;
}

/** The event of a delivery. The webhook may have had other templates when it was made. */
async function eventOf(em: Em, actor: Actor, { organizationId, id }: WebhookDelivery): Promise<Event> {
  const event = found(await em.findOne(Event, { organizationId, id }), 'Delivery');
  if (event.templateId != null) await ensureTemplateInScope(em, actor, event.templateId);
  return event;
}

/** Sends a test event. */
export async function sendTest(context: RequestContext, webhook: Webhook, event: EventName) {
  const { em, actor, now, wake } = context;
  const { organizationId } = actor;
  const { templateId, data } = await testData(context, webhook, event);
  const { id, body } = newBody({ event, timestamp: now.toISOString(), orgId: organizationId, data });
  em.create(Event, { id, organizationId, templateId, event, body, isTest: true, createdAt: now });
  const delivery = em.create(WebhookDelivery, {
    webhookId: webhook.id,
    id,
    recordId: newIdAt(now),
    organizationId,
    event,
    status: 'PENDING',
    queue: queues.test,
    attempts: [],
    tries: 0,
    nextAttemptAt: now,
    createdAt: now,
  });
  await em.flush();
  wake();
  return presentDelivery(delivery, body, false);
}

/**
 * Adds a delivery to the backlog of its webhook, whatever its status. Throws a 404, a 403 if its event is outside the
 * resource scope, or a 400 if it cannot be sent now.
 */
export async function resend({ em, actor, now, wake }: RequestContext, webhook: Webhook, id: string) {
  const { organizationId } = actor;
  const delivery = found(
    await em.findOne(
      WebhookDelivery,
      { organizationId, webhookId: webhook.id, recordId: id },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    ),
    'Delivery',
  );
  const event = await eventOf(em, actor, delivery);
  if (isInProgress(delivery, webhook, now)) {
    throw badRequest('attempt_in_progress', 'An attempt of this delivery is in progress; wait for its result.');
  }
  if (delivery.queue !== queues.test) {
    ensureEnabled(webhook);
    delivery.queue = queues.backlog;
  }
  const { body, position = null } = event;
  // Also if the webhook is not ordered, because it may become so meanwhile.
  Object.assign(delivery, { status: 'PENDING', tries: 0, nextAttemptAt: now, position });
  await em.flush();
  wake();
  return presentDelivery(delivery, body, false);
}

/** One statement can update this many in its time. Sending more would take hours. */
const maximumUpdated = 100_000;

/** Counts the failed deliveries of a period and, unless it is a dry run, adds them to the backlog. */
export async function replay(
  { em, actor, now, wake }: RequestContext,
  webhook: Webhook,
  { from, to = now.toISOString(), events, dryRun = false }: Body<Contract['webhooks']['replay']>,
) {
  const selection = { actor, webhookId: webhook.id, from: new Date(from), to: new Date(to), events };
  if (selection.from >= selection.to) throw badRequest(['to: must be later than from']);
  const failed = await countFailed(em, selection);
  if (dryRun) return { dryRun, count: failed };
  ensureEnabled(webhook);
  if (failed > maximumUpdated) {
    const [found, most] = [failed, maximumUpdated].map((count) => count.toLocaleString('en'));
    const reason = `${found} failed deliveries were created in this range, more than ${most}`;
    throw badRequest([`to: ${reason}; choose an earlier end, then replay the rest`]);
  }
  const count = await replayFailed(em, selection, now);
  wake();
  return { dryRun, count };
}

/**
 * Gives the pending deliveries of a webhook that becomes ordered their places. Its row must be locked. Throws a 400 if
 * there are too many.
 */
export async function putInOrder({ em }: Pick<RequestContext, 'em'>, { organizationId, id }: Webhook): Promise<void> {
  const pending = await em.count(WebhookDelivery, { organizationId, webhookId: id, status: 'PENDING' });
  if (pending > maximumUpdated) {
    const [found, most] = [pending, maximumUpdated].map((count) => count.toLocaleString('en'));
    throw badRequest([`ordered: ${found} deliveries are pending, more than ${most}; set it when fewer are`]);
  }
  // What is placed after that finds the webhook ordered.
  await lockFeed(em, organizationId);
  await orderDeliveries(em, organizationId, id);
}

function ensureEnabled({ enabled }: Webhook): void {
  if (!enabled)
    throw badRequest('webhook_disabled', 'The webhook is disabled and receives no deliveries; enable it first.');
}
