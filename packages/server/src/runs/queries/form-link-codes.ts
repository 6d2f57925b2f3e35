import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { databaseNow } from '../../database/expressions.ts';
import type { FormLink } from '../entities/form-link.ts';

type Key = Pick<FormLink, 'organizationId' | 'id'>;

/** For how many minutes a code works. */
export const codeMinutes = 10;

/** How many codes one link can get within an hour. */
export const codesPerHour = 3;

/** How often somebody can try to enter a code. */
const attemptsPerCode = 5;

/** Gives a link a new code, which replaces the one before. Returns false if it had too many within an hour. */
export async function putCode(em: Em, { organizationId, id }: Key, codeHash: Buffer): Promise<boolean> {
  const update = () =>
    em.getKysely().updateTable('form_links').where('organization_id', '=', organizationId).where('id', '=', id);
  await update()
    .set({ codes_since: databaseNow, codes_sent: 0 })
    .where(sql<boolean>`coalesce(codes_since, '-infinity') <= now() - interval '1 hour'`)
    .execute();
  const { numUpdatedRows } = await update()
    .set((eb) => ({
      code_hash: codeHash,
      code_expires_at: sql<string>`now() + make_interval(mins => ${codeMinutes})`,
      code_attempts: 0,
      codes_sent: eb('codes_sent', '+', 1),
    }))
    .where('codes_sent', '<', codesPerHour)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Counts an attempt to enter the code of a link. If it is right, it cannot be used again. Returns false if it is wrong,
 * has expired, was used, or if there were too many attempts.
 */
export async function takeCode(em: Em, { organizationId, id }: Key, codeHash: Buffer): Promise<boolean> {
  const tried = await em
    .getKysely()
    .updateTable('form_links')
    .set((eb) => ({
      code_attempts: eb('code_attempts', '+', 1),
      code_hash: eb.fn<Buffer | null>('nullif', [eb.ref('code_hash'), eb.val(codeHash)]),
    }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('code_hash', 'is not', null)
    .where('code_expires_at', '>', databaseNow)
    .where('code_attempts', '<', attemptsPerCode)
    .returning('code_hash')
    .executeTakeFirst();
  return tried !== undefined && tried.code_hash === null;
}
