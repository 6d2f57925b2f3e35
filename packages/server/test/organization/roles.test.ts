import type { BodyInput, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess, type TaskSketch } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

/** The form of a task. Keys of fields are unique in a template. */
const formOf = (key: string) => [{ key, label: 'Answer', type: 'TEXT' as const }];

async function newGuest(org: TestOrganization) {
  const administrator = await org.session();
  return { administrator, guest: await addMember(app.baseUrl, administrator, { role: 'GUEST', name: 'Supplier' }) };
}

/** Launches a run with these tasks; returns their ids in the run by title. */
async function launch(api: Api, ...tasks: TaskSketch[]) {
  const { templateId } = await publishProcess(api, tasks, { name: 'Onboarding' });
  const run = await launchRun(api, templateId);
  const idOf = (title: string) => run.tasks.find((task) => task.title === title)?.runTaskId ?? '';
  return { templateId, run, idOf };
}

test('a guest fills in and completes an assigned task, and sees nothing else of the run', async (t) => {
  const org = await newOrganization(app);
  const { guest } = await newGuest(org);
  const { run, idOf } = await launch(
    org.api,
    { title: 'Theirs', fields: formOf('theirs'), assigneeId: guest.id },
    { title: 'Other', fields: formOf('other') },
  );
  const { session } = guest;
  const mine = await must(session.call('me.tasks', 'list'));
  t.deepEqual(
    mine.data.map(({ title }) => title),
    ['Theirs'],
  );
  const params = { taskId: idOf('Theirs') };
  const { task, fields, entries } = await must(session.call('runs.tasks', 'form', { params }));
  t.like(task, { title: 'Theirs', runTitle: run.title });
  t.is(fields.length, 1);
  t.deepEqual(entries, []);
  const values = [{ runTaskFieldId: fields[0]?.id ?? '', value: 'Yes' }];
  const done = await session.call('execution', 'submitForm', { body: { runTaskId: params.taskId, values } });
  t.is(done.status, 200);
  const after = await must(session.call('runs.tasks', 'form', { params }));
  t.is(after.task.status, 'COMPLETED');
  t.is(after.entries[0]?.fieldValues[0]?.value, 'Yes');

  const other = { taskId: idOf('Other') };
  t.is((await session.call('runs.tasks', 'form', { params: other })).status, 403);
  t.is((await session.call('execution', 'open', { body: { runTaskId: other.taskId } })).status, 403);
  t.is((await session.call('runs.tasks', 'comment', { params: other, body: { text: 'Hello' } })).status, 403);
  t.is((await session.call('runs', 'get', { params: { id: run.id } })).status, 403);
  t.is((await session.call('users', 'list')).status, 403);
  t.is((await session.call('templates', 'list')).status, 403);
});

test('a guest has the tasks of their groups, and loses a task that is assigned to somebody else', async (t) => {
  const org = await newOrganization(app);
  const { administrator, guest } = await newGuest(org);
  const body = { name: 'Suppliers', memberIds: [guest.id] };
  const { id: assigneeGroupId } = await must(administrator.call('groups', 'create', { body }));
  const { idOf } = await launch(org.api, { title: 'Ours', fields: formOf('ours'), assigneeGroupId });
  const params = { taskId: idOf('Ours') };
  t.is((await guest.session.call('runs.tasks', 'form', { params })).status, 200);
  const opened = await must(guest.session.call('execution', 'open', { body: { runTaskId: params.taskId } }));
  await must(org.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: org.ownerUserId } }));
  t.is((await guest.session.call('runs.tasks', 'form', { params })).status, 403);
  const completed = await guest.session.call('execution', 'complete', { body: { executionEntryId: opened.id } });
  t.is(completed.status, 403);
  t.is((await guest.session.call('execution', 'get', { params: { id: opened.id } })).status, 403);
});

test('a guest who approves a task reads its form and decides, but does not fill it in', async (t) => {
  const org = await newOrganization(app);
  const { guest } = await newGuest(org);
  const { idOf } = await launch(
    org.api,
    { title: 'Named', fields: formOf('named'), approval: { approverIds: [guest.id] } },
    { title: 'Anyone', fields: formOf('anyone'), approval: {} },
  );
  const submit = async (title: string) => {
    const { fields } = await must(org.api.call('runs.tasks', 'form', { params: { taskId: idOf(title) } }));
    const values = [{ runTaskFieldId: fields[0]?.id ?? '', value: 'Yes' }];
    const body = { runTaskId: idOf(title), values, complete: false };
    return must(org.api.call('execution', 'submitForm', { body }));
  };
  const { entry } = await submit('Named');
  await submit('Anyone');
  const listed = await must(guest.session.call('me.tasks', 'list'));
  t.deepEqual(
    listed.data.map(({ title }) => title),
    ['Named'],
    'approvals that name nobody are not those of guests',
  );
  const params = { taskId: idOf('Named') };
  t.is((await guest.session.call('runs.tasks', 'form', { params })).status, 200);
  const value = { runTaskFieldId: entry.fieldValues[0]?.runTaskFieldId ?? '', value: 'No' };
  const written = await guest.session.call('execution', 'submit', { body: { executionEntryId: entry.id, ...value } });
  t.is(written.status, 403);
  t.regex(String(written.error.message), /does not allow this for a task that is not assigned to you/);
  t.is((await guest.session.call('runs.tasks', 'approve', { params })).status, 200);
  const anyone = { params: { taskId: idOf('Anyone') } };
  t.is((await guest.session.call('runs.tasks', 'approve', anyone)).status, 403);
});

test('the resource mode of a member follows the role, and a change takes effect with the next request', async (t) => {
  const org = await newOrganization(app);
  const administrator = await org.session();
  const member = await addMember(app.baseUrl, administrator);
  const { run } = await launch(org.api, { title: 'Task' });
  const params = { id: member.id };
  const change = (body: BodyInput<Contract['users']['update']>) =>
    administrator.call('users', 'update', { params, body });
  const read = async () => (await member.session.call('runs', 'get', { params: { id: run.id } })).status;
  t.is(await read(), 200);
  t.is((await must(change({ resourceMode: 'GRANTED' }))).resourceMode, 'GRANTED');
  t.is(await read(), 403);
  t.is((await must(change({ role: 'ADMIN' }))).resourceMode, 'ALL');
  t.is(await read(), 200);
  t.is((await must(change({ role: 'VIEWER' }))).resourceMode, 'ALL', 'viewers may have it, so it stays');
  t.is((await must(change({ role: 'GUEST' }))).resourceMode, 'ASSIGNED');
  t.is((await must(change({ role: 'VIEWER' }))).resourceMode, 'GRANTED');
  for (const [role, resourceMode] of [
    ['ADMIN', 'GRANTED'],
    ['GUEST', 'ALL'],
  ] as const) {
    const rejected = await change({ role, resourceMode });
    t.is(rejected.status, 400);
    t.regex(String(rejected.error.message), /^resourceMode: members with the role/);
  }
});
