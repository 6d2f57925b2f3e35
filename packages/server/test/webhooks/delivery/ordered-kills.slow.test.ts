import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiOf } from '@runward/testing/api';
import { createDatabase } from '@runward/testing/database';
import { cheapPasswords } from '@runward/testing/passwords';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test from 'ava';
import { openDatabase } from '../../../src/database/database.ts';
import { inTransaction } from '../../../src/database/transaction.ts';
import { createOrganization } from '../../../src/organization/create-organization.ts';

const organization = { name: 'Kills', plan: 'BUSINESS', timeZone: 'UTC', ownerEmail: 'kills@example.com' } as const;

test('killed processes keep the order of a webhook, and each repeats at most the delivery in progress', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-ordered-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const start = async () => {
    const service = await startServiceFor(t, dataDir, { DATABASE_URL: url, WEBHOOK_ALLOW_LOCAL: 'true' });
    return service;
  };
  let service = await start();
  const database = await openDatabase(url);
  t.teardown(() => database.close());
  const { apiKey } = await inTransaction(database, (em) => createOrganization(em, cheapPasswords, organization));
  let api = apiOf(service.baseUrl, apiKey);

  const sent: string[] = [];
  let [inProgress, most] = [0, 0];
  await using receiver = await startReceiver((_, { headers }) => (response) => {
    sent.push(String(headers['webhook-id']));
    most = Math.max(most, (inProgress += 1));
    setTimeout(() => {
      inProgress -= 1;
      response.writeHead(200).end();
    }, 100);
  });
  const { templateId } = await publishProcess(api);
  const body = { name: 'Ledger', url: receiver.url, enabledEvents: ['run.started' as const], ordered: true };
  const { id } = await must(api.call('webhooks', 'create', { body }));

  const kills = 2;
  for (let kill = 0; kill < kills; kill += 1) {
    const before = sent.length;
    for (let run = 0; run < 10; run += 1) await launchRun(api, templateId);
    await until(() => sent.length >= before + 3 && inProgress === 1, 'a request in progress');
    service.child.kill('SIGKILL');
    await service.exited;
    service = await start();
    api = apiOf(service.baseUrl, apiKey);
  }
  const pending = { params: { id }, query: { status: 'PENDING' as const } };
  await until(async () => (await must(api.call('webhooks', 'webhookDeliveries', pending))).total === 0, 'the rest');

  const { data } = await must(api.call('events', 'list', {}));
  const order = data.filter(({ event }) => event === 'run.started').map(({ deliveryId }) => deliveryId);
  t.is(order.length, 20);
  t.deepEqual(
    sent.filter((event, index) => event !== sent[index - 1]),
    order,
  );
  t.true(sent.length <= order.length + kills, `${sent.length} requests`);
  t.is(most, 1);
});
