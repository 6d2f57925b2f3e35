import { effectOf, scopes } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { callOf, examplesOf, prepare, send } from '../support/calls.ts';
import { newSource } from '../support/data-sources.ts';
import { guardedEndpoints } from '../support/endpoints.ts';
import { countStatements } from '../support/statements.ts';
import { newWorld } from '../support/world.ts';

const app = useApp(test, { retrySchedule: [0] });

/**
 * How many statements each call of `test/support/examples` sends, `begin` and `commit` included. Two are the least: one reads what is
 * decided on and confirms the key, one saves. One is enough if nothing is to change.
 */
const commands: Readonly<Record<string, readonly number[]>> = {
  'runs.launch': [2],
  'templates.runs.launch': [2],
  // A launch of many tasks is saved by several statements in a transaction.
  'runs.bulkLaunch': [4],
  'runs.archive': [2],
  'runs.unarchive': [1],
  'runs.update': [2],
  'runs.complete': [2],
  'runs.cancel': [2],
  'runs.reopen': [2],
  'runs.migrateToLatest': [2],
  // A dry run.
  'runs.migrate': [1],
  'runs.tasks.setStatus': [2],
  'runs.tasks.setDueDate': [2],
  'runs.tasks.setAssignee': [2, 2, 1],
  'runs.tasks.bulkUpdate': [2, 2],
  'runs.tasks.forceUnblock': [2],
  'runs.tasks.approve': [2],
  'runs.tasks.reject': [2],
  'execution.open': [2],
  'execution.submit': [2],
  'execution.submitBatch': [2],
  'execution.complete': [2],
  'execution.submitForm': [2, 1],
  'execution.reopen': [2],
  'execution.discard': [2],
  'files.uploadUrl': [2],
};

/** The statements of a call. */
async function statementsOf(call: () => Promise<unknown>): Promise<number> {
  const statements = countStatements();
  await call();
  return statements.stop();
}

/** Lets the process cache keys that were not used yet, for longer than the test lasts. */
async function warm(...apis: readonly Api[]): Promise<void> {
  await app.provision.query(
    `update api_keys set last_used_at = now() + interval '1 hour' where last_used_at is null`,
    [],
  );
  for (const api of apis) await must(api.raw('GET', '/runs?limit=1'));
}

test.serial(
  'a command of a run reads with one statement and writes with one, also with a restricted key',
  async (t) => {
    await using receiver = await startReceiver();
    const org = await newOrganization(app);
    const world = await newWorld(app, org, receiver.url);
    // Otherwise what they do in the background would be counted.
    await app.dispatcher.stop();
    await app.examiner.stop();
    const whole = await org.key({ scopes });
    const scopedFolderIds = [world.ids.folder];
    const restricted = await org.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds });
    await warm(whole, restricted);
    const writes = guardedEndpoints.filter(
      ({ name, endpoint }) =>
        /^(runs|templates\.runs|execution|files\.uploadUrl)\b/.test(name) && effectOf(endpoint) === 'write',
    );

    for (const api of [whole, restricted]) {
      const counts: Record<string, number[]> = {};
      for (const each of writes) {
        for (const example of examplesOf(each)) {
          const call = callOf(each, example, await prepare(example, world), world);
          (counts[each.name] ??= []).push(await statementsOf(() => must(send(api, each, call))));
        }
      }
      t.deepEqual(counts, commands);
    }
  },
);

test.serial('a submission reads the members and the rows that it names with the run', async (t) => {
  const { api: owner, key, ownerUserId } = await newOrganization(app);
  const source = await newSource(owner, ['Name']);
  const [row = ''] = await source.addRows({ Name: 'Acme' });
  const dataSource = { dataSourceId: source.id, labelColumnId: source.column('Name'), autoFill: [] };
  const { templateId, fields } = await publishProcess(owner, [
    {
      title: 'Order',
      fields: [
        { key: 'buyer', label: 'Buyer', type: 'USER' },
        { key: 'supplier', label: 'Supplier', type: 'DATA_SOURCE', dataSource },
      ],
    },
  ]);
  const { runTaskId } = (await launchRun(owner, templateId)).byTitle('Order');
  const values = [
    { runTaskFieldId: fields['buyer']?.id ?? '', value: ownerUserId },
    { runTaskFieldId: fields['supplier']?.id ?? '', value: row },
  ];
  const api = await key({ scopes });
  await warm(api);
  t.is(await statementsOf(() => must(api.call('execution', 'submitForm', { body: { runTaskId, values } }))), 2);
});
