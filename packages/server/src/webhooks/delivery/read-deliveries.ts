import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { inTransaction } from '../../database/transaction.ts';
import { placeEvents } from '../queries/place-events.ts';
import { readDue, type DueBounds, type DueSettings, type ReadWebhook } from '../queries/read-due.ts';

/**
 * Extends leases and reads the webhooks and their due deliveries, as `readDue` does. If an ordered webhook has none,
 * the events of its organization are placed first, and it is read again: without its place, a delivery is not due.
 */
export async function readDeliveries(
  { database, log }: { readonly database: Database; readonly log: Logger },
  settings: DueSettings,
  bounds: readonly DueBounds[],
): Promise<ReadWebhook[]> {
  const found = await readDue(database.em.fork(), settings, bounds);
  const free = new Set(bounds.flatMap(({ leaseToken, unrecorded }) => (unrecorded.length === 0 ? leaseToken : [])));
  const idle = found.filter(
    ({ webhook, deliveries }) => webhook.ordered && deliveries.length === 0 && free.has(webhook.leaseToken),
  );
  if (idle.length === 0) return found;
  for (const organizationId of new Set(idle.map(({ webhook }) => webhook.organizationId))) {
    // The webhooks of other organizations do not wait for it.
    await inTransaction(database, (em) => placeEvents(em, organizationId)).catch((error: unknown) => {
      log.error({ err: error, organizationId }, 'could not place events; ordered webhooks wait');
    });
  }
  const again = new Set(idle.map(({ webhook }) => webhook.leaseToken));
  const placed = await readDue(
    database.em.fork(),
    settings,
    bounds.filter(({ leaseToken }) => again.has(leaseToken)),
  );
  return [...found.filter(({ webhook }) => !again.has(webhook.leaseToken)), ...placed];
}
