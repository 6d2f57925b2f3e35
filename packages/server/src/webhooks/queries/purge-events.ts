import type { Database, Em } from '../../database/database.ts';
import { inBatches } from '../../database/in-batches.ts';
import { firstIdOf } from '../../ids.ts';
import { Organization } from '../../organization/entities/organization.ts';
import { retentionMs } from '../retention.ts';

const batchSize = 5_000;

/**
 * Deletes the deliveries and events whose retention has ended, whatever their status. Deliveries come first, because
 * they need their events. Ids are UUIDv7, so they sort by creation time. The signal ends it between two statements.
 */
export async function purgeEvents(database: Database, signal: AbortSignal, now = new Date()): Promise<void> {
  const oldest = firstIdOf(new Date(now.getTime() - retentionMs));
  const em = database.em.fork();
  for (const { id } of await em.find(Organization, {}, { fields: ['id'] })) {
    await inBatches(signal, batchSize, () => purgeDeliveryBatch(em, id, oldest));
    await inBatches(signal, batchSize, () => purgeEventBatch(em, id, oldest));
  }
}

async function purgeDeliveryBatch(em: Em, organizationId: string, oldest: string): Promise<number> {
  const { numDeletedRows } = await em
    .getKysely()
    .deleteFrom('webhook_deliveries')
    .where('organization_id', '=', organizationId)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('webhook_id', 'id'),
        'in',
        selectFrom('webhook_deliveries as old')
          .where('old.organization_id', '=', organizationId)
          .where('old.record_id', '<', oldest)
          .select(['old.webhook_id', 'old.id'])
          .orderBy('old.record_id')
          .limit(batchSize)
          .$asTuple('webhook_id', 'id'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function purgeEventBatch(em: Em, organizationId: string, oldest: string): Promise<number> {
  const { numDeletedRows } = await em
    .getKysely()
    .deleteFrom('events')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('events as old')
        .where('old.organization_id', '=', organizationId)
        .where('old.id', '<', oldest)
        .select('old.id')
        .orderBy('old.id')
        .limit(batchSize),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
