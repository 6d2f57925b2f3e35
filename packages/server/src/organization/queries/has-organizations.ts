import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { Organization } from '../entities/organization.ts';

/** Whether there are organizations. If not, no other process can create one before the transaction ends. */
export async function hasOrganizations(em: Em): Promise<boolean> {
  // Once there is one, no start waits for those who write.
  if ((await em.count(Organization)) > 0) return true;
  await sql`lock table organizations in share row exclusive mode`.execute(em.getKysely());
  return (await em.count(Organization)) > 0;
}
