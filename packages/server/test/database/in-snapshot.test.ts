import { createDatabase } from '@runward/testing/database';
import test from 'ava';
import { sql } from 'kysely';
import { ApiError } from '../../src/api-error.ts';
import { openDatabase } from '../../src/database/database.ts';
import { inSnapshot } from '../../src/database/in-snapshot.ts';

const tooLong = {
  instanceOf: ApiError,
  message:
    'Bad Request: The figures of so many runs take too long to compute; choose a shorter period, or fewer templates.',
};

test('a report whose query PostgreSQL cancels, or that begins a query too late, is a 400 with a remedy', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const database = await openDatabase(url, { poolSize: 1 });
  t.teardown(() => database.close());
  const em = database.em.fork();
  const cancelled = inSnapshot(em, async (db) => {
    await sql`select set_config('statement_timeout', '1', true)`.execute(db);
    return sql`select pg_sleep(30)`.execute(db);
  });
  await t.throwsAsync(cancelled, tooLong);

  const late = inSnapshot(em, (db) => sql`select 1`.execute(db), -1);
  await t.throwsAsync(late, tooLong);

  // The connection is as before: with its own timeout, and in no transaction.
  const { rows } = await sql`select current_setting('statement_timeout') as timeout`.execute(em.getKysely());
  t.deepEqual(rows, [{ timeout: '10s' }]);
});
