import type { TestApp } from '@runward/testing/app';

/** Locks a row against changes until the returned function is called. */
export async function holdRow(
  { database }: Pick<TestApp, 'database'>,
  table: 'runs' | 'data_sources',
  id: string,
): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const done = database.em.fork().transactional(async (em) => {
    await em
      .getConnection()
      .execute(`select 1 from ${table} where id = ? for update`, [id], 'all', em.getTransactionContext());
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  return async () => {
    held.resolve();
    await done;
  };
}
