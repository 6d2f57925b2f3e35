import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/** Forgets sessions that are over for good. */
export async function purgeSessions(em: Em): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(em.getKysely());
}
