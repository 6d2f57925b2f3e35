import { newDataFolder } from '@runward/testing/data-folder';
import { must, publishProcess } from '@runward/testing/process';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test from 'ava';
import { counterConnections } from '../../src/limits/open-counters.ts';
import { jobConnections } from '../../src/scheduler/postgres-backend.ts';
import { connectToNew } from '../support/database/connect.ts';

test('a process with two connections carries out many requests at once, and opens no more', async (t) => {
  const { url, client } = await connectToNew(t);
  await using folder = await newDataFolder();
  const service = await startServiceFor(t, folder.path, { DATABASE_URL: url, DATABASE_POOL_SIZE: '2' });
  const api = service.api();
  const { templateId } = await publishProcess(api);
  // On a busy machine, a request may not get its turn in time; then it is repeated.
  const send = async (method: string, path: string, body?: object) =>
    until(async () => {
      const { status, error } = await api.raw(method, path, { body });
      t.true(status < 300 || status === 429, `${path}: ${JSON.stringify(error)}`);
      return status !== 429;
    }, path);
  await Promise.all([
    ...Array.from({ length: 40 }, () => send('POST', '/runs', { templateId })),
    ...['/runs/counts', '/runs/export/csv', '/templates', '/runs/analytics'].flatMap((path) =>
      Array.from({ length: 5 }, () => send('GET', path)),
    ),
  ]);
  t.is((await must(api.call('runs', 'list', { query: { limit: 1 } }))).total, 40);
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  t.true((rows[0]?.count ?? 0) <= 2 + counterConnections + jobConnections, `${rows[0]?.count} connections`);
  service.child.kill('SIGTERM');
  t.is(await service.exited, 0);
});
