import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '@runward/testing/database';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { mongoTestUrl, openMongoStore } from '../support/scheduler/job-stores.ts';

const ifMongo = mongoTestUrl ? test : test.skip;
const how = mongoTestUrl ? '' : '; run it with: npm run test:mongo';

/** A service on a MongoDB whose connection a test can cut. */
async function start(t: ExecutionContext, { away }: { away: boolean }) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const store = await openMongoStore();
  t.teardown(() => store.close());
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-mongo-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  if (away) store.proxy.cut();
  const service = await startServiceFor(t, dataDir, {
    DATABASE_URL: url,
    JOBS_URL: store.urls.jobsUrl ?? '',
    WEBHOOK_ALLOW_LOCAL: 'true',
    WEBHOOK_RETRY_SCHEDULE: '0s,2s',
  });
  const api = service.api();
  const { templateId } = await publishProcess(api);
  return { service, api, templateId, proxy: store.proxy };
}

ifMongo(`while the job store is away events are delivered and retried, and jobs continue after it${how}`, async (t) => {
  let refuses = false;
  await using receiver = await startReceiver(() => (refuses ? 500 : 200));
  const { service, api, templateId, proxy } = await start(t, { away: false });
  const body = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const] };
  await must(api.call('webhooks', 'create', { body }));
  await launchRun(api, templateId);
  await receiver.wait(1);

  proxy.cut();
  await until(() => service.log().includes('job store unreachable'), 'the outage');
  for (let run = 0; run < 5; run += 1) await launchRun(api, templateId);
  await receiver.wait(6);
  refuses = true;
  await launchRun(api, templateId);
  await receiver.wait(7);
  refuses = false;
  await receiver.wait(8);
  t.is((await fetch(`${service.baseUrl}/health/ready`)).status, 200);

  proxy.restore();
  t.is(receiver.received[7]?.body, receiver.received[6]?.body);
  t.is(new Set(receiver.received.map((request) => request.body)).size, 7);
  await until(
    () => service.log().includes('job store reachable again; scheduling resumed'),
    'the end of the outage',
    30,
  );
  t.is(service.child.exitCode, null);
  service.child.kill('SIGTERM');
  t.is(await service.exited, 0, service.log());
});

ifMongo(`a service starts and delivers without its job store, and stops while it waits for it${how}`, async (t) => {
  await using receiver = await startReceiver();
  const { service, api, templateId, proxy } = await start(t, { away: true });
  const body = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const] };
  await must(api.call('webhooks', 'create', { body }));
  await launchRun(api, templateId);
  await receiver.wait(1);
  await until(() => service.log().includes('job store unreachable'), 'the failure', 20);
  proxy.restore();
  await until(() => service.log().includes('job store reachable again; scheduling resumed'), 'the clock', 30);
  proxy.cut();
  await pause(1_500);
  service.child.kill('SIGTERM');
  t.is(await service.exited, 0, service.log());
});
