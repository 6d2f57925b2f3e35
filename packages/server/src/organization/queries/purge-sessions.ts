import type { Em } from '../../database/database.ts';
import { databaseNow } from '../../database/expressions.ts';

/** Deletes the expired sessions of all organizations. */
export async function purgeSessions(em: Em): Promise<void> {
  await em.getKysely().deleteFrom('sessions').where('expires_at', '<', databaseNow).execute();
}
