import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

const lock = statement(`
  select id from users where id = $1 and password_hash = $2 and status = 'ACTIVE' for share`);

/** Holds a member's password as it is until the transaction ends; false where it is no longer this one, or the member inactive. */
export async function lockPassword(em: Em, userId: string, passwordHash: string): Promise<boolean> {
  return (await lock(em, userId, passwordHash)).length > 0;
}
