import type { Em } from '../../database/database.ts';
import type { User } from '../entities/user.ts';
import { statement } from '../../database/statement.ts';

const lock = statement(`
  select id from users
  where organization_id = $1 and id = $2 and password_hash = $3 and status = 'ACTIVE' for share`);

/** Keeps a member's password from changing until the transaction ends. False if it has changed already, or the member is not active. */
export async function lockPassword(
  em: Em,
  { organizationId, id, passwordHash }: Pick<User, 'organizationId' | 'id' | 'passwordHash'>,
): Promise<boolean> {
  return (await lock(em, organizationId, id, passwordHash)).length > 0;
}
