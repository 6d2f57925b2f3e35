import { effectOf, scopes } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { newSource } from '../../support/data-sources.ts';
import { connectTo } from '../../support/database/connect.ts';
import { onOnePostgres } from '../../support/database/on-one-postgres.ts';
import { countStatements, recordStatements, scansOf } from '../../support/database/statements.ts';
import { callOf, examplesOf, prepare, send } from '../../support/sweep/calls.ts';
import { guardedEndpoints } from '../../support/sweep/endpoints.ts';
import { newWorld } from '../../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });

/**
 * How many statements each call of `test/support/examples` sends, `begin` and `commit` included. Three are the least:
 * one looks the key up, one reads what is decided on, one saves. The last is left out if nothing is to change.
 */
const commands: Readonly<Record<string, readonly number[]>> = {
  'runs.launch': [3],
  'templates.runs.launch': [3],
  // A launch of many tasks is saved by several statements in a transaction.
  'runs.bulkLaunch': [5],
  // Several runs are locked, read and saved in a transaction.
  'runs.archive': [6],
  'runs.unarchive': [5],
  'runs.update': [3],
  'runs.complete': [3],
  'runs.cancel': [3],
  'runs.reopen': [3],
  'runs.migrateToLatest': [3],
  // A dry run.
  'runs.migrate': [2],
  'runs.tasks.setStatus': [3],
  'runs.tasks.setDueDate': [3],
  // Also reads the names of the assignees, for the events.
  'runs.tasks.setAssignee': [4, 4, 2],
  'runs.tasks.bulkUpdate': [7, 7],
  'runs.tasks.forceUnblock': [3],
  // A comment is counted, read, and returned as it was stored; its mentions are looked up.
  'runs.comments.create': [8],
  'runs.comments.update': [8],
  'runs.comments.delete': [5],
  'runs.tasks.comment': [8],
  // They add or find the guest, assign the task, and leave lines in the audit log.
  'runs.tasks.createFormLink': [15],
  'runs.tasks.revokeFormLink': [10],
  'runs.tasks.approve': [3],
  'runs.tasks.reject': [3],
  'execution.open': [3],
  'execution.submit': [3],
  'execution.submitBatch': [3],
  'execution.complete': [3],
  'execution.submitForm': [3, 2],
  'execution.reopen': [3],
  'execution.discard': [3],
  'files.uploadUrl': [3],
};

/** The statements of a call. */
async function statementsOf(call: () => Promise<unknown>): Promise<number> {
  const statements = countStatements();
  await call();
  return statements.stop();
}

/** Records uses of keys ahead, so that none is recorded while statements are counted. */
async function warm(...apis: readonly Api[]): Promise<void> {
  await app.provision.query(
    `update api_keys set last_used_at = now() + interval '1 hour' where last_used_at is null`,
    [],
  );
  for (const api of apis) await must(api.raw('GET', '/runs?limit=1'));
}

test.serial(
  'a command of a run looks its key up, reads and writes with one statement each, also with a restricted key',
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
  t.is(await statementsOf(() => must(api.call('execution', 'submitForm', { body: { runTaskId, values } }))), 3);
});

onOnePostgres('a form reads the tasks of its run alone, also while PostgreSQL has no statistics', async (t) => {
  const { api } = await newOrganization(app);
  const task = (title: string) => ({ title, fields: [{ key: title, label: title, type: 'TEXT' as const }] });
  const { templateId, fields } = await publishProcess(api, [task('first'), task('last')]);
  const run = await launchRun(api, templateId);
  const recorded = recordStatements();
  for (const title of ['first', 'last']) {
    const values = [{ runTaskFieldId: fields[title]?.id ?? '', value: 'Ada' }];
    const body = { runTaskId: run.byTitle(title).runTaskId, values };
    await must(api.call('execution', 'submitForm', { body }));
  }
  recorded.stop();
  const saves = recorded.texts().filter((text) => /^\s*with saved as \(\s*update/.test(text));
  // The last form also ends the run, which takes its tasks off the lists.
  t.is(saves.length, 2);

  const client = await connectTo(t, app.databaseUrl);
  // The statements read these instead. Nothing analyzes temporary tables, whereas the others may have been by now.
  for (const table of ['runs', 'run_tasks']) {
    await client.query(`create temporary table ${table} (like public.${table} including indexes)`);
  }
  const found: string[] = [];
  for (const text of saves) {
    for (const scan of await scansOf(client, text)) if (scan.table === 'run_tasks') found.push(scan.found);
  }
  t.is(found.length, 3);
  for (const conditions of found) t.regex(conditions, /\b(run_)?id\b/);
});
