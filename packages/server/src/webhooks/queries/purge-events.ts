import type { Database } from '../../database/database.ts';
import { inBatches } from '../../database/in-batches.ts';
import { writing } from '../../database/statement.ts';
import { firstIdOf } from '../../ids.ts';
import { Organization } from '../../organization/entities/organization.ts';
import { retentionMs } from '../retention.ts';

const batchSize = 5_000;

const deleteDeliveries = writing(`
  delete from webhook_deliveries where organization_id = $1 and (webhook_id, id) in (
    select webhook_id, id from webhook_deliveries where organization_id = $1 and record_id < $2
    order by record_id limit $3)`);

const deleteEvents = writing(`
  delete from events where organization_id = $1 and id in (
    select id from events where organization_id = $1 and id < $2 order by id limit $3)`);

/**
 * Deletes the deliveries and events whose retention has ended, whatever their status. Deliveries come first, because
 * they need their events. Ids are UUIDv7, so they sort by creation time. The signal ends it between two statements.
 */
export async function purgeEvents(database: Database, signal: AbortSignal, now = new Date()): Promise<void> {
  const oldest = firstIdOf(new Date(now.getTime() - retentionMs));
  const em = database.em.fork();
  for (const { id } of await em.find(Organization, {}, { fields: ['id'] })) {
    await inBatches(signal, batchSize, () => deleteDeliveries(em, id, oldest, batchSize));
    await inBatches(signal, batchSize, () => deleteEvents(em, id, oldest, batchSize));
  }
}
