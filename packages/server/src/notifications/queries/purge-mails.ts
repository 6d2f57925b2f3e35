import { mailRetentionDays } from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { purge } from '../../database/purge.ts';

const isOld = `created_at < now() - interval '${mailRetentionDays} days'`;

const purgeNotifications = purge(
  'notifications',
  `(mail_id is not null or dropped_reason is not null) and ${isOld}`,
  5_000,
);
const purgeMailRows = purge('mails', `status <> 'PENDING' and ${isOld}`, 5_000);

/** Deletes mails and notifications that are older than 30 days and no longer pending. The signal stops it. */
export async function purgeMails(em: Em, signal: AbortSignal): Promise<void> {
  await purgeNotifications(em, signal);
  await purgeMailRows(em, signal);
}
