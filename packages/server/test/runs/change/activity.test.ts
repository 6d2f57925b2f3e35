import { verifyChain } from '@runward/engine';
import { readActivity } from '@runward/testing/activity';
import type { Api } from '@runward/testing/api';
import { endpoints } from '@runward/testing/generated/endpoints';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

async function problemOf(api: Api, id: string) {
  const { head, lines } = await readActivity(api, id);
  return verifyChain(lines, head);
}

/** A run whose first task has a form with a text, a number and a choice of several. */
async function formRun(api: Api, due = {}) {
  const options = ['b', 'a'].map((key) => ({ key, label: key }));
  const { templateId, fields } = await publishProcess(
    api,
    [
      {
        title: 'Form',
        ...due,
        fields: [
          { label: 'Text', type: 'TEXT' },
          { label: 'Number', type: 'NUMBER' },
          { label: 'Choice', type: 'MULTI_SELECT', options },
        ],
      },
      { title: 'Last', ...due },
    ],
    {},
    [{ key: 'z', type: 'NUMBER' }, { key: 'a10' }, { key: 'a2' }],
  );
  const run = await launchRun(api, templateId, { variables: { z: 1e21, a2: 'é', a10: '\u2028' } });
  const { id: entryId } = await must(
    api.call('execution', 'open', { body: { runTaskId: run.byTitle('Form').runTaskId } }),
  );
  return { templateId, run, entryId, fieldId: (key: string) => fields[key]?.id ?? '' };
}

test('every value keeps the hash of its line when it is stored and read again', async (t) => {
  const { api } = await newOrganization(app);
  const { run, entryId, fieldId } = await formRun(api);
  const numbers = ['0.1', '1e21', '-0', '-0.0', '9007199254740993', '5e-324', '1.7976931348623157e308', '1e-7', '100'];
  const texts = ['Ada', 'Größe', 'e\u0301', '😀 \u2028 "quoted" \\ / \u007f', 'ﬀ 汉字', ' '];
  const submit = async (key: string, json: string) => {
    const names = { executionEntryId: entryId, runTaskFieldId: fieldId(key) };
    const body = `${JSON.stringify(names).slice(0, -1)},"value":${json}}`;
    t.is((await api.raw('POST', endpoints['execution.submit'].path, { body })).status, 201, json);
  };
  for (const number of numbers) await submit('number', number);
  for (const text of texts) await submit('text', JSON.stringify(text));
  await submit('choice', '["a","b"]');
  await submit('choice', 'null');

  const { head, lines } = await readActivity(api, run.id);
  t.is(lines.length, 2 + numbers.length + texts.length + 2);
  t.is(verifyChain(lines, head), null);
});

test('every way to change runs continues their chains', async (t) => {
  const { api, ownerUserId, session, member } = await newOrganization(app);
  const due = { due: { from: 'LAUNCH', offset: 'PT0S', hasTime: false } } as const;
  const { templateId, run, entryId } = await formRun(api, due);
  const { results } = await must(
    api.call('runs', 'bulkLaunch', { body: { runs: [{ templateId }, { templateId }, { templateId }] } }),
  );
  const ids = [run.id, ...results.map((result) => result.run?.id ?? '')];
  const tasks = (await Promise.all(ids.map((id) => getRun(api, id)))).map((each) => each.byTitle('Last').runTaskId);
  const browser = await session();
  const grace = await member('Grace');

  await must(browser.call('organization', 'update', { body: { timezone: 'Asia/Tokyo' } }));
  await must(api.call('runs.tasks', 'bulkUpdate', { body: { taskIds: tasks, assigneeId: grace.id } }));
  await must(browser.call('users', 'handOver', { params: { id: grace.id }, body: { assigneeId: ownerUserId } }));
  const past = { dueAt: '2020-01-01T00:00:00Z' };
  for (const taskId of tasks) await must(api.call('runs.tasks', 'setDueDate', { params: { taskId }, body: past }));
  await must(api.call('execution', 'complete', { body: { executionEntryId: entryId } }));
  for (const id of ids) await must(api.call('runs', 'cancel', { params: { id } }));
  await must(api.call('runs', 'archive', { body: { runIds: ids } }));

  for (const id of ids) {
    const { head, lines } = await readActivity(api, id);
    t.is(verifyChain(lines, head), null);
    t.is(lines.length, head.count);
    const types = new Set(lines.map(({ type }) => type));
    for (const type of ['task.deadline_moved', 'task.assigned', 'run.overdue', 'run.archived']) {
      t.true(types.has(type), type);
    }
  }
});

test('a chain never forks under concurrent writes', async (t) => {
  const { api } = await newOrganization(app);
  const { run, entryId, fieldId } = await formRun(api);
  const [text, number] = [fieldId('text'), fieldId('number')];
  const last = run.byTitle('Last').runTaskId;
  const writes = Array.from({ length: 24 }, (_, index) => {
    if (index % 3 === 0) return api.call('runs', 'update', { params: { id: run.id }, body: { title: `Run ${index}` } });
    if (index % 3 === 1) {
      const dueAt = `2030-01-01T00:00:${String(index).padStart(2, '0')}Z`;
      return api.call('runs.tasks', 'setDueDate', { params: { taskId: last }, body: { dueAt } });
    }
    const value =
      index % 2 === 0 ? { runTaskFieldId: number, value: index } : { runTaskFieldId: text, value: `${index}` };
    return api.call('execution', 'submit', { body: { executionEntryId: entryId, ...value } });
  });
  const statuses = (await Promise.all<{ status: number }>(writes)).map(({ status }) => status);
  t.true(statuses.every((status) => status < 300));
  const { head, lines } = await readActivity(api, run.id);
  t.is(head.count, 2 + writes.length);
  t.is(verifyChain(lines, head), null);
});

test('a change in the database is found: of a line, of the last line, and of the head', async (t) => {
  const { api } = await newOrganization(app);
  const [changed, shortened] = [await formRun(api), await formRun(api)];
  await app.provision.query(`update activity set at = '2020-01-01T00:00:00Z' where run_id = $1 and sequence = 2`, [
    changed.run.id,
  ]);
  await app.provision.query('delete from activity where run_id = $1 and sequence = 2', [shortened.run.id]);
  t.like(await problemOf(api, changed.run.id), { line: 2, kind: 'CHANGED' });
  t.like(await problemOf(api, shortened.run.id), { line: 2, kind: 'REMOVED' });
});
