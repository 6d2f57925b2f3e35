import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@runward/testing/until';
import test from 'ava';
import { Client } from 'pg';
import { openJobBench } from '../support/scheduler/bench.ts';
import { openPostgresStore } from '../support/scheduler/job-stores.ts';
import { schedulerSuite } from '../support/scheduler/suite.ts';

schedulerSuite(test, 'PostgreSQL', openPostgresStore);

test('a store that is slow to write the end of a run is not said to be unreachable', async (t) => {
  const bench = await openJobBench(t, openPostgresStore);
  const client = new Client({ connectionString: bench.store.urls.databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs > 1) return;
    await client.query("begin; select from agenda_jobs where name = 'slow' for update");
    await pause(800);
    // Agenda looks at the lock of a run after half of its lifetime.
    setTimeout(() => void client.query('commit'), 600);
  };
  const { log } = await bench.start([{ name: 'slow', everySeconds: 1, run }], { lockSeconds: 2 });
  await until(() => runs > 1, 'the next run');
  t.notRegex(log.join('\n'), /no lockedAt/);
});
