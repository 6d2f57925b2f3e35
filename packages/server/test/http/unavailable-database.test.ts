import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { until } from '@runward/testing/until';
import test from 'ava';
import { sql } from 'kysely';
import { Client } from 'pg';
import { openDatabase } from '../../src/database/database.ts';
import { isUnavailable } from '../../src/database/errors.ts';
import { inTransaction } from '../../src/database/transaction.ts';

const app = useApp(test);

/** A connection that is not one of the service. */
async function connect(path?: string) {
  const client = new Client({
    connectionString: Object.assign(new URL(app.databaseUrl), path && { pathname: path }).href,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

test.serial('requests whose connection is terminated by an administrator are 503 with Retry-After', async (t) => {
  const { api } = await newOrganization(app);
  const admin = await connect();
  t.teardown(() => admin.end());
  const locker = await connect();
  t.teardown(() => locker.end());
  // What the requests wait for, so that they are in work when their connections end.
  await locker.query('begin; lock table templates in access exclusive mode');
  const body = { name: 'x' };
  const requests = [
    api.call('templates', 'list'),
    api.raw('POST', '/templates', { body }),
    api.raw('POST', '/templates', { body, headers: { 'idempotency-key': 'k' } }),
  ];
  const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await until(async () => (await admin.query(`select ${waiting}`)).rowCount === 3, 'three requests to wait');
  await admin.query(`select pg_terminate_backend(pid) ${waiting}`);
  const responses = await Promise.all(requests);
  await locker.query('rollback');
  t.deepEqual(
    responses.map(({ status, error }) => [status, error.message, error.retryAfter]),
    [
      [503, 'The database is not available; retry in a moment.', 2],
      [
        503,
        'The database is not available; the request may or may not have taken effect: check before you repeat it.',
        2,
      ],
      [
        503,
        'The database is not available; the request may or may not have taken effect: repeat it with the same Idempotency-Key.',
        2,
      ],
    ],
  );
  t.deepEqual(
    responses.map(({ headers: received }) => received.get('retry-after')),
    ['2', '2', '2'],
  );
});

test.serial('requests while the database accepts no connections are 503, and nothing was changed', async (t) => {
  const { api } = await newOrganization(app);
  const name = new URL(app.databaseUrl).pathname.slice(1);
  const admin = await connect('/postgres');
  t.teardown(() => admin.end());
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await until(async () => {
    const { status, error } = await api.call('templates', 'create', { body: { name: 'x' } });
    return status === 503 && error.message === 'The database is not available; retry in a moment.';
  }, 'a connection to be refused');
  t.is((await api.call('templates', 'list')).status, 503);
  await admin.query(`alter database ${name} allow_connections true`);
  await until(async () => (await api.call('templates', 'list')).status === 200, 'a connection');
});

test('every way in which a connection fails says that the database is unavailable', async (t) => {
  const ask = async (url: string, options: Parameters<typeof openDatabase>[1] = {}, text = 'select 1') => {
    const database = await openDatabase(url, { poolSize: 1, ...options });
    t.teardown(() => database.close());
    return inTransaction(database, (em) => sql.raw(text).execute(em.getKysely()));
  };
  const at = (change: Partial<URL>) => Object.assign(new URL(app.databaseUrl), change).href;
  const socket = new URL(app.databaseUrl);
  socket.searchParams.set('host', '/nowhere');
  const failures = [
    ask('postgres://user@127.0.0.1:1/refused'),
    ask(socket.href),
    ask(at({ pathname: '/none' })),
    ask(at({ username: 'nobody' })),
    ask(app.databaseUrl, { timeouts: { query_timeout: 200 } }, 'select pg_sleep(2)'),
    ask(app.databaseUrl, { timeouts: { statement_timeout: 200 } }, 'select pg_sleep(2)'),
  ];
  for (const failure of failures) {
    const error = await t.throwsAsync(failure);
    t.true(isUnavailable(error), String(error));
  }
  t.false(isUnavailable(await t.throwsAsync(ask(app.databaseUrl, {}, 'select 1 / 0'))));
});

test('a request that gets no connection within the time-out says that the database is unavailable', async (t) => {
  const database = await openDatabase(app.databaseUrl, { poolSize: 1, timeouts: { connectionTimeoutMillis: 2_000 } });
  t.teardown(() => database.close());
  const held = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const first = inTransaction(database, async (em) => {
    await sql`select 1`.execute(em.getKysely());
    held.resolve();
    await over.promise;
  });
  await held.promise;
  const second = await t.throwsAsync(inTransaction(database, (em) => sql`select 1`.execute(em.getKysely())));
  t.true(isUnavailable(second), String(second));
  over.resolve();
  await first;
});
