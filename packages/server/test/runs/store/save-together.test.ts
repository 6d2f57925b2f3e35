import { randomUUID } from 'node:crypto';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { countStatements } from '../../support/database/statements.ts';
import { whileOther } from '../../support/database/while-other.ts';
import { isFolded } from '../../support/folded-run.ts';

const app = useApp(test);

/** An organization with runs of a form. */
async function withForms(count: number) {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [
    { title: 'Form', fields: [{ key: 'name', label: 'Name', type: 'TEXT' }] },
  ]);
  const runs = [];
  for (let index = 0; index < count; index += 1) {
    const { id, byTitle } = await launchRun(org.api, templateId);
    const { runTaskId } = byTitle('Form');
    const { id: executionEntryId } = await must(org.api.call('execution', 'open', { body: { runTaskId } }));
    runs.push({ id, executionEntryId });
  }
  return { ...org, runs };
}

test.serial('launches of one caller that arrive together share statements, and each is saved once', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'First' }, { title: 'Second' }]);
  const titles = Array.from({ length: 30 }, (_, index) => `Run ${index}`);
  const statements = countStatements('insert into runs ');
  const runs = await Promise.all(titles.map(async (title) => launchRun(api, templateId, { title })));
  const sent = statements.stop();
  t.true(sent < titles.length, `${sent} statements`);
  t.deepEqual(
    runs.map(({ title }) => title),
    titles,
  );
  const { total, data } = await must(api.call('runs', 'list', { query: { limit: 100 } }));
  t.is(total, titles.length);
  t.deepEqual(data.map(({ title }) => title).toSorted(), titles.toSorted());
  for (const { id } of runs) await isFolded(t, app, organizationId, id);
});

test.serial('forms of several runs that are completed together share statements', async (t) => {
  const { api, organizationId, runs } = await withForms(12);
  const statements = countStatements('update runs run set');
  const answers = await Promise.all(
    runs.map(async ({ executionEntryId }) => api.call('execution', 'complete', { body: { executionEntryId } })),
  );
  const sent = statements.stop();
  t.true(sent < runs.length, `${sent} statements`);
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
  for (const { id } of runs) await isFolded(t, app, organizationId, id);
});

test.serial('changes of several runs and of one run that arrive together are all carried out', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const titles = Array.from({ length: 8 }, (_, index) => ({ title: `Task ${index}` }));
  const { templateId } = await publishProcess(api, titles);
  const runs = [await launchRun(api, templateId), await launchRun(api, templateId), await launchRun(api, templateId)];
  const answers = await Promise.all(
    runs.flatMap(({ tasks }) =>
      tasks.map(async ({ runTaskId }) =>
        api.call('runs.tasks', 'setStatus', { params: { taskId: runTaskId }, body: { status: 'COMPLETED' } }),
      ),
    ),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
  for (const { id } of runs) {
    t.is((await getRun(api, id)).status, 'COMPLETED');
    await isFolded(t, app, organizationId, id);
  }
  t.is((await must(api.call('runs', 'list', { query: { status: 'COMPLETED' } }))).total, runs.length);
});

test.serial('a change that PostgreSQL rejects does not fail those that share its statement', async (t) => {
  const { api, runs } = await withForms(5);
  const [used, ...others] = runs;
  const usedKey = randomUUID();
  const complete = async (executionEntryId: string | undefined, idempotencyKey: string) =>
    api.call('execution', 'complete', { body: { executionEntryId: executionEntryId ?? '', idempotencyKey } });
  await must(complete(used?.executionEntryId, usedKey));
  const answers = await Promise.all(
    others.map(async ({ executionEntryId }, index) => complete(executionEntryId, index === 1 ? usedKey : randomUUID())),
  );
  t.deepEqual(
    answers.map(({ status }) => status),
    [204, 400, 204, 204],
  );
});

test.serial('changes of other runs do not wait for a run that another transaction has locked', async (t) => {
  const { api, organizationId, runs } = await withForms(4);
  const isLocked = 'select from runs where organization_id = $1 and id = $2 for update';
  const waiting = async () =>
    app.provision.query<{ pid: number; since: string }>(
      `select pid, query_start::text as since from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
      [],
    );
  const renamed: Promise<number>[] = [];
  const first = await whileOther(
    app,
    (client) => client.query(isLocked, [organizationId, runs[0]?.id]),
    async () => {
      for (const { id } of runs) {
        const call = api.call('runs', 'update', { params: { id }, body: { title: 'Renamed' } });
        renamed.push(call.then(({ status }) => status));
      }
      return renamed[0];
    },
    {
      meanwhile: async () => {
        const before = await waiting();
        t.deepEqual(await Promise.all(renamed.slice(1)), [200, 200, 200]);
        // Otherwise they have waited until PostgreSQL ended the statement.
        t.deepEqual(await waiting(), before);
      },
    },
  );
  t.is(first, 200);
});
