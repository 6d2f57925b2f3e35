import { newDataFolder } from '@runward/testing/data-folder';
import { freePort } from '@runward/testing/ports';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test from 'ava';
import { connectToNew } from '../support/database/connect.ts';

test('a delivery that failed is retried without a job store, and while nothing else happens', async (t) => {
  const { url } = await connectToNew(t);
  await using folder = await newDataFolder();
  let isUp = false;
  await using receiver = await startReceiver(() => (isUp ? 200 : 500));
  const service = await startServiceFor(t, folder.path, {
    DATABASE_URL: url,
    JOBS_URL: `mongodb://127.0.0.1:${await freePort()}/runward`,
    WEBHOOK_ALLOW_LOCAL: 'true',
    WEBHOOK_RETRY_SCHEDULE: '0s,2s',
  });
  const api = service.api();
  const { templateId } = await publishProcess(api);
  const body = { name: 'Ledger', url: receiver.url, enabledEvents: ['run.started' as const] };
  await must(api.call('webhooks', 'create', { body }));
  await launchRun(api, templateId);
  await receiver.wait(1);
  isUp = true;
  const [failed, repeated] = await receiver.wait(2);
  t.is(repeated?.body, failed?.body);
  await until(() => service.log().includes('job store unreachable'), 'the failure');
});
