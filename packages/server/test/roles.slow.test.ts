import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@runward/testing/database';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test from 'ava';

test('a worker process sends the deliveries that an API process commits', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-roles-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { DATABASE_URL: url, WEBHOOK_ALLOW_LOCAL: 'true' };
  const api = await startServiceFor(t, dataDir, { ...env, ROLE: 'api' });
  await using receiver = await startReceiver();
  const webhook = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const, 'task.overdue' as const] };
  await must(api.api().call('webhooks', 'create', { body: webhook }));
  const due = { from: 'LAUNCH', offset: 'PT1S' } as const;
  const { templateId } = await publishProcess(api.api(), [{ title: 'Task', due }]);
  const run = await launchRun(api.api(), templateId);
  const waiting = await must(api.api().call('webhooks', 'deliveries'));
  t.like(waiting.data[0], { status: 'PENDING', attempts: [] });

  const worker = await startServiceFor(t, dataDir, { ...env, ROLE: 'worker' });
  const [delivered] = await receiver.wait(1);
  t.true(delivered?.body.includes(run.id));
  t.is((await worker.api().raw('GET', '/runs')).status, 404);
  const metrics = async () => (await fetch(`${worker.baseUrl}/metrics`)).text();
  await until(async () => /webhook_attempts_total\{outcome="succeeded"\} [12]/.test(await metrics()), 'the count');

  for (const { child } of [api, worker]) child.kill('SIGTERM');
  t.deepEqual(await Promise.all([api.exited, worker.exited]), [0, 0]);
  t.regex(worker.log(), /Runward worker running/);
});
