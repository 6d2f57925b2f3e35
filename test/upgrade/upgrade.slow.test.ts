import { verifyChain } from '@runward/engine';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { openDatabase } from '@runward/server/internal/database/database';
import { isFolded } from '@runward/server/test-support/folded-run';
import { readActivity } from '@runward/testing/activity';
import { apiOf, signIn, type Api } from '@runward/testing/api';
import { launchRun, must } from '@runward/testing/process';
import { provisionIn } from '@runward/testing/provision';
import { startReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import { verify } from '@runward/webhooks';
import test, { type ExecutionContext } from 'ava';
import { versions } from './dump.ts';
import { migrateUp, restored, runProgram, type Restored } from './restored.ts';

const idsOf = (table: string, url: string) =>
  withClient(url, async (client) =>
    (await client.query<{ id: string }>(`select id from ${table} order by id`)).rows.map(({ id }) => id),
  );

for (const version of versions) {
  test(`a database of ${version} that was migrated keeps its promises, and each run is what its activity says`, async (t) => {
    const dump = await restored(t, version);
    await migrateUp(dump);
    const report = await runProgram('chaos/at-rest/main.ts', ['--all-events'], dump.env);
    t.regex(report, /^violations 0$/m);
    t.regex(report, /^[1-9]\d* runs, [1-9]\d* facts, [1-9]\d* events, [1-9]\d* files$/m);
    const database = await openDatabase(dump.url);
    t.teardown(() => database.close());
    const provision = provisionIn(database);
    const runIds = await idsOf('runs', dump.url);
    for (const id of runIds) await isFolded(t, { provision }, dump.keys.organizationId, id);
  });

  test(`the API returns what ${version} has stored to the old key and the old password, and goes on with it`, async (t) => {
    const dump = await restored(t, version);
    await migrateUp(dump);
    const { baseUrl, api } = await start(t, dump, 'api');
    const { ids, ownerEmail, ownerPassword, ownerUserId } = dump.keys;

    const { data: runs, total } = await must(api.call('runs', 'list'));
    t.deepEqual(runs.map(({ id }) => id).sort(), await idsOf('runs', dump.url));
    const analytics = await must(api.call('analytics', 'summary', { query: { from: '2020-01-01', to: '2029-12-31' } }));
    t.is(analytics.total, total);
    t.is(analytics.byStatus.COMPLETED, 1);
    for (const { id } of runs) {
      const { lines, head } = await readActivity(api, id);
      t.is(verifyChain(lines, head), null, id);
    }

    const session = await signIn(baseUrl, ownerEmail, ownerPassword);
    t.true((await must(session.call('users', 'list'))).data.some(({ id }) => id === ownerUserId));
    t.true((await must(session.call('auditLog', 'list'))).data.length > 0);
    const { url } = await must(api.call('files', 'downloadUrl', { params: { id: ids.file } }));
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    t.true(Object.values(dump.keys.files).includes(bytes.toString('base64')));
    t.is((await must(api.call('webhooks', 'get', { params: { id: ids.webhook } }))).id, ids.webhook);
    t.is((await must(api.call('dataSources.rows', 'list', { params: { id: ids.dataSource } }))).total, 2);
    t.is((await must(api.call('portals', 'get', { params: { portalId: ids.portal } }))).status, 'PUBLISHED');

    await completeForm(api, ids);
    await must(session.call('runs.tasks', 'approve', { params: { taskId: ids.approvalTask }, body: {} }));
    const { lines, head } = await readActivity(api, ids.openRun);
    t.is(lines.at(-1)?.type, 'run.completed');
    t.is(verifyChain(lines, head), null, 'the chain continues');
    await runProgram('packages/server/src/admin/main.ts', ['audit', dump.keys.organizationId, '--verify'], dump.env);
  });

  test(`a webhook of ${version} gets an event once, signed with its old secret`, async (t) => {
    const dump = await restored(t, version);
    await migrateUp(dump);
    const { ids, signingSecret: secret } = dump.keys;
    const receiver = await startReceiver();
    t.teardown(() => receiver[Symbol.asyncDispose]());
    const { api } = await start(t, dump, 'api');
    const params = { id: ids.webhook };
    // The receiver of the dump is gone. Nothing is sent before a worker starts.
    await must(api.call('webhooks', 'update', { params, body: { url: receiver.url } }));
    const run = await launchRun(api, ids.template, { title: 'After the upgrade' });
    await start(t, dump, 'worker');

    const ofRun = () => receiver.received.filter(({ body }) => body.includes(run.id));
    await until(() => ofRun().length > 0, 'the event');
    const isDone = async () =>
      (await must(api.call('webhooks', 'webhookDeliveries', { params }))).data.every(
        ({ status }) => status !== 'PENDING',
      );
    await until(isDone, 'all deliveries');
    t.is(ofRun().length, 1);
    for (const { body, headers } of receiver.received)
      await t.notThrowsAsync(async () => verify(body, headers, { secret }));
    const sent = receiver.received.map(({ headers }) => headers['webhook-id']);
    t.is(new Set(sent).size, sent.length, 'no event was sent twice');
  });
}

async function start(t: ExecutionContext, { dataDir, env, keys }: Restored, role: string) {
  const service = await startServiceFor(t, dataDir, { ...env, ROLE: role });
  return { baseUrl: service.baseUrl, api: apiOf(service.baseUrl, keys.apiKey) };
}

async function completeForm(api: Api, { openTask, openField: runTaskFieldId }: Restored['keys']['ids']): Promise<void> {
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId: openTask } }));
  await must(api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId, value: 'All in order' } }));
  await must(api.call('execution', 'complete', { body: { executionEntryId } }));
}
