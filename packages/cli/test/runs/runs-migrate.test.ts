import type { Api } from '@runward/testing/api';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

interface Summary {
  readonly migrated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly notTried: number;
  readonly runs: readonly { readonly runId: string; readonly outcome: string; readonly added?: readonly string[] }[];
}

/** A template "Onboarding" with two active runs of version 1, one that has ended, and a second version. */
async function prepare(api: Api) {
  const { templateId } = await publishProcess(api, [{ title: 'First' }], { name: 'Onboarding' });
  const runs = [await launchRun(api, templateId), await launchRun(api, templateId), await launchRun(api, templateId)];
  const [one = '', other = '', ended = ''] = runs.map(({ id }) => id);
  await must(api.call('runs', 'cancel', { params: { id: ended } }));
  await must(api.call('templates.tasks', 'create', { params: { id: templateId }, body: { title: 'Second' } }));
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  return { one, other, ended };
}

test('runs migrate migrates all active runs of a template after a dry run, continues, and undoes it', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { one, other, ended } = await prepare(org.api);
  const versionOf = async (id: string) => (await must(org.api.call('runs', 'get', { params: { id } }))).tasks.length;
  const all = ['runs', 'migrate', '--template', 'Onboarding'];

  const dry: Summary = await data([...all, '--dry-run']);
  t.like(dry, { migrated: 2, unchanged: 0, failed: 0, notTried: 0 });
  t.is(await versionOf(one), 1);
  t.like(await data<Summary>(['runs', 'migrate', one]), {
    migrated: 1,
    runs: [{ runId: one, outcome: 'migrated', from: 1, to: 2, kept: ['First'], added: ['Second'], status: 'RUNNING' }],
  });
  const rest: Summary = await data(all);
  t.like(rest, { migrated: 1, unchanged: 1, failed: 0 });
  t.deepEqual(await Promise.all([one, other, ended].map(versionOf)), [2, 2, 1]);

  const table = await runward([...all, '--to', '1', '-o', 'table']);
  t.is(table.code, 0, table.stderr);
  t.regex(table.stdout, /^migrated +2$/m);
  t.deepEqual(await Promise.all([one, other].map(versionOf)), [1, 1]);
});

test('runs migrate lists the runs that were not migrated, with exit code 1', async (t) => {
  const { org, runward } = await newWorkplace();
  const { one, ended } = await prepare(org.api);
  const { code, stdout } = await runward(['runs', 'migrate', ended, one, '--concurrency', '1']);
  t.is(code, 1);
  t.like(JSON.parse(stdout), {
    migrated: 1,
    failed: 1,
    runs: [{ runId: ended, outcome: 'failed', messages: ['The run is CANCELLED; reopen it first.'] }, { runId: one }],
  });
});

test('runs migrate needs either runs or a template, and a version that exists', async (t) => {
  const { org, runward } = await newWorkplace();
  const { one } = await prepare(org.api);
  const codes = async (...args: string[]) => (await runward(['runs', 'migrate', ...args])).code;
  t.is(await codes(), 2);
  t.is(await codes(one, '--template', 'Onboarding'), 2);
  t.is(await codes(one, '--to', '7'), 3);
  t.is(await codes('--template', 'Onboarding', '--to', '7'), 3);
});
