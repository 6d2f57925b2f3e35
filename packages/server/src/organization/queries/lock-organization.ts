import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/**
 * Locks the row of an organization until the transaction ends, which serializes changes to its settings, members, keys and webhooks.
 * Launches take a shared lock on it (see `find-launchable.ts`), so they and these changes wait for each other; other requests do not wait.
 */
export async function lockOrganization(em: Em, id: string): Promise<void> {
  await sql`select id from organizations where id = ${id} for no key update`.execute(em.getKysely());
}
