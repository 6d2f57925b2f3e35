import { createDatabase } from '@runward/testing/database';
import { until } from '@runward/testing/until';
import test from 'ava';
import { sql } from 'kysely';
import { openDatabase } from '../../src/database/database.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { connectToNew } from '../support/database/connect.ts';

test('a connection that dies returns its slot to the pool', async (t) => {
  const { url, client: admin } = await connectToNew(t);
  const database = await openDatabase(url, { poolSize: 2 });
  const kill = () =>
    admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  const ask = () => inTransaction(database, (em) => sql`select 1`.execute(em.getKysely()));

  // The pool may hand out a connection before it has noticed that the other end is gone; the next call then succeeds.
  const ready = async (calls: number) => {
    await until(async () => {
      const results = await Promise.allSettled(Array.from({ length: calls }, ask));
      return results.every(({ status }) => status === 'fulfilled');
    }, 'the pool to have live connections only');
  };

  for (let round = 0; round < 5; round += 1) {
    await ready(2);
    const inside = inTransaction(database, async (em) => {
      await kill();
      return sql`select 1`.execute(em.getKysely());
    });
    await t.throwsAsync(inside);
  }
  await t.notThrowsAsync(ready(4));
  await t.notThrowsAsync(database.close());
});

test('a failing transaction is rolled back', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const database = await openDatabase(url);
  t.teardown(() => database.close());
  const count = async () => {
    const { rows } = await sql`select 1 from folders`.execute(database.em.fork().getKysely());
    return rows.length;
  };
  const insert = (fails: boolean) =>
    inTransaction(database, async (em) => {
      const db = em.getKysely();
      await sql`insert into organizations (id, name, plan, time_zone, signing_secret, created_at)
        values (gen_random_uuid(), 'x', 'FREE', 'UTC', 's', now())`.execute(db);
      await sql`insert into folders select id, gen_random_uuid(), 'x', now() from organizations limit 1`.execute(db);
      if (fails) throw new Error('no');
    });
  await t.throwsAsync(insert(true), { message: 'no' });
  t.is(await count(), 0);
  await insert(false);
  t.is(await count(), 1);
});

test('a transaction is repeated after a deadlock', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const database = await openDatabase(url);
  t.teardown(() => database.close());
  const root = database.em.fork().getKysely();
  await sql`create table pair (id int primary key, count int not null)`.execute(root);
  await sql`insert into pair values (1, 0), (2, 0)`.execute(root);
  let attempts = 0;
  let locked = 0;
  const { promise: bothLocked, resolve } = Promise.withResolvers<void>();
  const both = (first: number, second: number) =>
    inTransaction(database, async (em) => {
      attempts += 1;
      const db = em.getKysely();
      await sql`update pair set count = count + 1 where id = ${first}`.execute(db);
      locked += 1;
      if (locked === 2) resolve();
      await bothLocked;
      await sql`update pair set count = count + 1 where id = ${second}`.execute(db);
    });
  await Promise.all([both(1, 2), both(2, 1)]);
  t.is(attempts, 3);
  const { rows } = await sql<{ count: number }>`select count from pair`.execute(root);
  t.deepEqual(
    rows.map(({ count }) => count),
    [2, 2],
  );
});
