import type { BodyInput, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must } from '@runward/testing/process';
import test from 'ava';
import { sql } from 'kysely';
import { syncRules } from '../../src/runs/change/sync-rules.ts';
import { onOnePostgres } from '../support/database/on-one-postgres.ts';
import { isFolded } from '../support/folded-run.ts';
import { newTemplate } from '../support/templates.ts';

// A sync works on the templates of all tests, so they run one after the other.
const app = useApp(test);
const sync = () => syncRules(app);

type Draft = BodyInput<Contract['templates.draft']['replace']>;

/** Publishes a template that asks a question; `secondAnswer` shows "Ship" or hides "Pack". */
async function publishQuestion(api: Api) {
  const id = await newTemplate(api);
  const replace = async (tasks: Draft['tasks'], variables: Draft['variables'] = []) =>
    must(api.call('templates.draft', 'replace', { params: { id }, body: { phases: [], tasks, variables } }));
  const { tasks } = await replace([
    { title: 'Ask', fields: [{ label: 'Answer', type: 'TEXT' }] },
    { title: 'Pack' },
    { title: 'Ship' },
  ]);
  await must(api.call('templates', 'publish', { params: { id } }));
  const [ask, pack, ship] = tasks.map(({ id, title }) => ({ id, title }));
  const field = tasks[0]?.fields[0];
  if (!ask || !pack || !ship || !field) throw new Error('The draft lacks what it was replaced by.');
  const asked = { ...ask, fields: [{ id: field.id, label: field.label, type: field.type }] };
  const saysNo = { source: { type: 'FIELD', fieldId: field.id }, operator: 'EQUALS', value: 'no' } as const;
  const hides = (...taskIds: string[]) => ({ conditions: [saysNo], actions: [{ type: 'HIDE' as const, taskIds }] });
  const publish = async (
    rules: NonNullable<Draft['tasks'][number]['rules']>,
    options = {},
    more: Draft['tasks'] = [],
  ) => {
    await replace([{ ...asked, rules }, pack, ship, ...more]);
    return (await must(api.call('templates', 'publish', { params: { id }, body: options }))).id;
  };
  return { id, fieldId: field.id, packId: pack.id, shipId: ship.id, hides, publish };
}

async function answer(api: Api, runTaskId: string, runTaskFieldId: string, value: string): Promise<void> {
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  await must(api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId, value } }));
}

const statusOf = (api: Api, id: string) => must(api.call('templates', 'rulesSyncStatus', { params: { id } }));
const typesOf = async (api: Api, id: string) =>
  (await must(api.call('runs', 'activity', { params: { id } }))).data.map(({ type }) => type).reverse();

test.serial('a publication gives active runs its rules, as far as they have what the rules name', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const never = await newTemplate(api);
  t.deepEqual(await statusOf(api, never), {
    status: 'IDLE',
    total: 0,
    processed: 0,
    failed: [],
    startedAt: null,
    finishedAt: null,
  });
  const question = await publishQuestion(api);
  t.like(await statusOf(api, question.id), { status: 'COMPLETED', total: 0, processed: 0 });
  const [run, ended] = [await launchRun(api, question.id), await launchRun(api, question.id)];
  await must(api.call('runs', 'cancel', { params: { id: ended.id } }));
  await answer(api, run.byTitle('Ask').runTaskId, question.fieldId, 'no');

  const { packId, hides } = question;
  const skipped = { id: 'new:skipped', ...hides('new:check') };
  const version = await question.publish([hides(packId), skipped], {}, [{ id: 'new:check', title: 'Check' }]);
  t.like(await statusOf(api, question.id), { status: 'RUNNING', total: 1, processed: 0, finishedAt: null });
  const later = await launchRun(api, question.id);
  await sync();
  t.like(await statusOf(api, question.id), { status: 'COMPLETED', total: 1, processed: 1, failed: [] });

  const synchronized = await getRun(api, run.id);
  t.like(synchronized, { templateVersionId: run.templateVersionId, rulesVersionId: version });
  t.deepEqual(
    synchronized.tasks.map(({ title, hidden }) => [title, hidden]),
    [
      ['Ask', false],
      ['Pack', true],
      ['Ship', false],
    ],
  );
  const { data } = await must(api.call('runs', 'activity', { params: { id: run.id } }));
  const fact = data.find(({ type }) => type === 'run.rules_synchronized');
  t.like(fact, { actor: { type: 'SYSTEM', userId: null }, data: { templateVersionId: version } });
  const [rule] = (fact?.data['skipped'] ?? []) as { missing: string[] }[];
  t.is(rule?.missing.length, 1);
  t.deepEqual((await typesOf(api, run.id)).slice(-2), ['run.rules_synchronized', 'task.hidden']);
  await isFolded(t, app, organizationId, run.id);
  for (const { id } of [ended, later]) t.false((await typesOf(api, id)).includes('run.rules_synchronized'));

  // The rules stay when the run changes.
  const entries = await must(api.call('execution', 'entries', { params: { runTaskId: run.byTitle('Ask').runTaskId } }));
  const body = { executionEntryId: entries.data[0]?.id ?? '', runTaskFieldId: question.fieldId, value: 'yes' };
  await must(api.call('execution', 'submit', { body }));
  t.false((await getRun(api, run.id)).byTitle('Pack').hidden);

  await must(api.call('runs', 'migrateToLatest', { params: { id: run.id } }));
  t.like(await getRun(api, run.id), { templateVersionId: version, rulesVersionId: null });
});

test.serial('a publication without a sync, or with the same rules, adds nothing to runs', async (t) => {
  const { api } = await newOrganization(app);
  const question = await publishQuestion(api);
  const run = await launchRun(api, question.id);
  await question.publish([question.hides(question.packId)], { syncRules: false });
  t.like(await statusOf(api, question.id), { status: 'COMPLETED', total: 0 });
  await sync();
  t.deepEqual(await typesOf(api, run.id), ['run.started']);
  await question.publish([], {}, [{ title: 'More' }]);
  await sync();
  t.like(await statusOf(api, question.id), { status: 'COMPLETED', total: 1, processed: 1 });
  t.deepEqual(await typesOf(api, run.id), ['run.started']);
});

test.serial('a run with a skipped rule gets a fact only if its rules or those that are skipped differ', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { id, packId, hides, publish } = await publishQuestion(api);
  const run = await launchRun(api, id);
  const synchronized = async () => {
    await sync();
    const { data } = await must(api.call('runs', 'activity', { params: { id: run.id } }));
    const facts = data.filter(({ type }) => type === 'run.rules_synchronized');
    return facts.map(({ data }) => [data['templateVersionId'], (data['skipped'] as unknown[]).length]).reverse();
  };
  const check = { id: 'new:check', title: 'Check' };
  const first = await publish([hides('new:check')], {}, [check]);
  t.deepEqual(await synchronized(), [[first, 1]]);
  const [skipped] = (await must(api.call('templates.draft', 'get', { params: { id } }))).tasks.flatMap(
    ({ rules }) => rules,
  );
  const checkId = skipped?.actions.flatMap((action) => ('taskIds' in action ? (action.taskIds ?? []) : []))[0] ?? '';
  const kept = [{ id: skipped?.id, ...hides(checkId) }];
  await publish(kept, {}, [{ id: checkId, title: 'Checked' }]);
  t.deepEqual(await synchronized(), [[first, 1]]);
  const changed = await publish([...kept, { ...hides(packId), id: 'new:more' }], {}, [
    { id: checkId, title: 'Checked' },
  ]);
  t.deepEqual(await synchronized(), [
    [first, 1],
    [changed, 1],
  ]);
  await publish([], {}, [{ id: checkId, title: 'Checked' }]);
  t.is((await synchronized()).length, 3);
  await isFolded(t, app, organizationId, run.id);
});

test.serial(
  'concurrent syncs process each run once, and a newer publication takes the place of an older one',
  async (t) => {
    const { api, organizationId } = await newOrganization(app);
    const question = await publishQuestion(api);
    const runs = [];
    for (let count = 0; count < 45; count += 1) runs.push(await launchRun(api, question.id));
    await question.publish([question.hides(question.packId)]);
    const older = [sync(), sync()];
    const version = await question.publish([question.hides(question.shipId)]);
    await Promise.all([...older, sync(), sync()]);
    await sync();

    t.like(await statusOf(api, question.id), { status: 'COMPLETED', total: 45, processed: 45, failed: [] });
    for (const { id } of runs) {
      t.is((await getRun(api, id)).rulesVersionId, version);
      const synchronized = (await typesOf(api, id)).filter((type) => type === 'run.rules_synchronized');
      t.true(synchronized.length === 1 || synchronized.length === 2);
    }
    await isFolded(t, app, organizationId, runs[0]?.id ?? '');
  },
);

test.serial('a run that cannot be changed is reported, and the others are processed', async (t) => {
  const { api } = await newOrganization(app);
  const question = await publishQuestion(api);
  const [broken, run] = [await launchRun(api, question.id), await launchRun(api, question.id)];
  const em = app.database.em.fork();
  const id = broken.byTitle('Ship').runTaskId;
  await em.getKysely().updateTable('run_tasks').set({ task_id: id }).where('id', '=', id).execute();
  em.shared((caches) => caches).clear();
  const version = await question.publish([question.hides(question.packId)]);
  await t.throwsAsync(sync, { message: 'The rule sync failed 1 times.' });
  t.like(await statusOf(api, question.id), {
    status: 'FAILED',
    total: 2,
    processed: 2,
    failed: [
      {
        runId: broken.id,
        message:
          'An unexpected error occurred; see the log of the service, then migrate the run or publish another version.',
      },
    ],
  });
  t.is((await getRun(api, run.id)).rulesVersionId, version);
});

onOnePostgres('a rule sync whose process was killed continues after its last batch', async (t) => {
  const { api } = await newOrganization(app);
  const question = await publishQuestion(api);
  const runs = [];
  for (let count = 0; count < 21; count += 1) runs.push(await launchRun(api, question.id));
  const version = await question.publish([question.hides(question.packId)]);
  // The connection of the second batch is lost while it waits for its run.
  const last = runs.at(-1)?.id ?? '';
  await app.database.em
    .fork()
    .getKysely()
    .transaction()
    .execute(async (holder) => {
      await sql`select id from runs where id = ${last} for update`.execute(holder);
      const killed = sync();
      const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%from runs%' and datname = current_database()`;
      let pid: number | undefined;
      while (pid === undefined) ({ pid } = (await waiting.execute(app.database.em.fork().getKysely())).rows[0] ?? {});
      t.like(await statusOf(api, question.id), { status: 'RUNNING', total: 21, processed: 20 });
      await sql`select pg_terminate_backend(${pid}::int)`.execute(holder);
      await t.throwsAsync(killed);
    });
  t.is((await getRun(api, last)).rulesVersionId, null);
  await sync();
  t.like(await statusOf(api, question.id), { status: 'COMPLETED', total: 21, processed: 21 });
  for (const { id } of runs) t.is((await getRun(api, id)).rulesVersionId, version);
});
