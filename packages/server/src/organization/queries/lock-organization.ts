import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/**
 * Locks the row of an organization until the transaction ends: changes of its members, keys and settings come one after the other.
 * Launches share a lock on it (see `find-launchable.ts`) and so wait for such a change and are waited for; everything else passes.
 */
export async function lockOrganization(em: Em, id: string): Promise<void> {
  await sql`select id from organizations where id = ${id} for no key update`.execute(em.getKysely());
}
