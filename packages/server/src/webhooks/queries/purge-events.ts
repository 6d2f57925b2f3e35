import { retentionMs } from '../retention.ts';
import { firstIdOf } from '../../ids.ts';
import type { Database } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

const batchSize = 5_000;

const organizations = statement<{ id: string }>('select id from organizations');

const forgetDeliveries = statement<{ id: string }>(`
  delete from webhook_deliveries where organization_id = $1 and (webhook_id, id) in (
    select webhook_id, id from webhook_deliveries where organization_id = $1 and id < $2 order by id limit ${batchSize})
  returning id`);

const forgetEvents = statement<{ id: string }>(`
  delete from events where organization_id = $1 and id in (
    select id from events where organization_id = $1 and id < $2 order by id limit ${batchSize})
  returning id`);

/**
 * Deletes records of deliveries and events that were kept long enough, whatever became of them: deliveries first, since they need the
 * events. Ids tell their age. In small statements, so that nothing waits long; the signal ends it between two.
 */
export async function purgeEvents(database: Database, signal: AbortSignal, now = new Date()): Promise<void> {
  const oldest = firstIdOf(new Date(now.getTime() - retentionMs));
  const em = database.em.fork();
  for (const { id } of await organizations(em)) {
    await inBatches(signal, () => forgetDeliveries(em, id, oldest));
    await inBatches(signal, () => forgetEvents(em, id, oldest));
  }
}

async function inBatches(signal: AbortSignal, forget: () => ReturnType<typeof forgetEvents>): Promise<void> {
  while (!signal.aborted && (await forget()).length === batchSize);
}
