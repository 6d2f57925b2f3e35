import type { Contract, Query, Total } from '@runward/contract';
import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';
import { anyOf, countUpTo } from '../../database/expressions.ts';
import { readWithin, type Fitting, type PageSize } from '../../database/read-within.ts';
import { totalWithin, type CountLimit } from '../../paging.ts';
import type { WebhookDelivery } from '../entities/webhook-delivery.ts';
import { deliveriesInScope } from './deliveries-in-scope.ts';

/** A delivery with the body of its event. */
export type DeliveryRow = Pick<
  WebhookDelivery,
  'recordId' | 'id' | 'webhookId' | 'event' | 'status' | 'attempts' | 'nextAttemptAt' | 'createdAt'
> & { readonly body: string };

/** Which deliveries to list. */
export type DeliverySelection = Omit<Query<Contract['webhooks']['webhookDeliveries']>, 'limit' | 'cursor' | 'total'> & {
  readonly actor: Actor;
  readonly webhookIds: readonly string[];
};

/** A page of deliveries before an id, newest first, and the number of all of them. */
export async function listDeliveries(
  em: Em,
  { actor, webhookIds, event, status, from, to }: DeliverySelection,
  { before, most, ...size }: PageSize & { readonly before: string | undefined; readonly most: CountLimit },
): Promise<Fitting<DeliveryRow> & { readonly total: Total }> {
  const db = em.getKysely();
  const { organizationId } = actor;
  const all = db
    .selectFrom('webhook_deliveries as delivery')
    .where('delivery.organization_id', '=', organizationId)
    .where('delivery.webhook_id', '=', anyOf(webhookIds))
    .where(deliveriesInScope(actor))
    .$if(event !== undefined, (query) => query.where('delivery.event', '=', event ?? null))
    .$if(status !== undefined, (query) => query.where('delivery.status', '=', status ?? null))
    .$if(from !== undefined, (query) => query.where('delivery.created_at', '>=', from ?? null))
    .$if(to !== undefined, (query) => query.where('delivery.created_at', '<', to ?? null));
  const { total } = await db.selectNoFrom(countUpTo(all, most).as('total')).executeTakeFirstOrThrow();
  const newest = all
    .$if(before !== undefined, (rest) => rest.where('delivery.record_id', '<', before ?? ''))
    .selectAll()
    .orderBy('delivery.record_id', 'desc')
    .limit(size.limit + 1);
  // The events are joined afterwards, because retention may have deleted those of the oldest deliveries.
  const query = db
    .selectFrom(newest.as('delivery'))
    .innerJoin('events as event', (join) =>
      join.onRef('event.organization_id', '=', 'delivery.organization_id').onRef('event.id', '=', 'delivery.id'),
    )
    .where('event.organization_id', '=', organizationId)
    .select([
      'delivery.record_id as recordId',
      'delivery.id',
      'delivery.webhook_id as webhookId',
      'delivery.event',
      'delivery.status',
      'delivery.attempts',
      'delivery.next_attempt_at as nextAttemptAt',
      'delivery.created_at as createdAt',
      'event.body',
    ])
    .orderBy('delivery.record_id', 'desc');
  const { rows, limit } = await readWithin(em, query, size);
  return {
    rows: rows.map((row) =>
      Object.assign(row, {
        nextAttemptAt: row.nextAttemptAt === null ? null : new Date(row.nextAttemptAt),
        createdAt: new Date(row.createdAt),
      }),
    ),
    limit,
    total: totalWithin(most, total),
  };
}
