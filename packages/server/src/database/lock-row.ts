import type { InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import { columnOf } from './columns.ts';
import type { Em } from './database.ts';
import type { EntitySchemas } from './entities.ts';

/**
 * How strongly a row is locked. `key share`: it cannot be deleted, so that another row can refer to it. `share`: it
 * cannot be changed. `no key update`: it is changed by one transaction at a time, while other rows can refer to it.
 * `update`: also waits for transactions that refer to it.
 */
export type RowLock = 'key share' | 'share' | 'no key update' | 'update';

/**
 * Locks a row until the transaction ends. Returns false if there is no row with these values. Must be a separate
 * statement before the row is read: a statement that waits for a lock reads everything else as it was before the wait.
 */
export async function lockRow<Schema extends EntitySchemas>(
  em: Em,
  schema: Schema,
  values: Partial<InferEntity<Schema>>,
  lock: RowLock,
): Promise<boolean> {
  const conditions = Object.entries(values).map(([property, value]) => {
    const column = sql.ref(columnOf(property));
    return value === null ? sql`${column} is null` : sql`${column} = ${value}`;
  });
  const { rows } = await sql`
    select 1 from ${sql.table(schema.meta.tableName)} where ${sql.join(conditions, sql` and `)} for ${sql.raw(lock)}
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** Sets how long statements of this transaction wait for a lock from now on, such as '14s'. */
export async function setLockTimeout(em: Em, timeout: string): Promise<void> {
  await sql`select set_config('lock_timeout', ${timeout}, true)`.execute(em.getKysely());
}
