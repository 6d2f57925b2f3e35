import { randomUUID } from 'node:crypto';
import type { Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { whileOther } from '../support/database/while-other.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

const create = (by: Api, name: string, memberIds?: string[]) =>
  by.call('groups', 'create', { body: { name, ...(memberIds && { memberIds }) } });
const remove = (by: Api, id: string) => by.call('groups', 'delete', { params: { id } });
const noMember = (index: number) => `memberIds[${index}]: not an active member of this organization; see GET /users`;

test('a group is created, read, renamed, given other members and deleted', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const [ada, bob] = [await org.member('Ada'), await org.member('Bob')];
  const reader = await org.key({ scopes: ['users:read'] });

  const made = await create(owner, ' Payroll ', [bob.id, ada.id]);
  t.is(made.status, 201);
  const { id } = made.body;
  t.like(made.body, { name: 'Payroll', memberIds: [ada.id, bob.id].sort() });
  const read = () => reader.call('groups', 'get', { params: { id } });
  t.deepEqual((await read()).body, made.body);

  const update = (body: object) => owner.raw('PATCH', `/groups/${id}`, { body });
  t.deepEqual((await update({ name: 'Wages' })).body, { ...made.body, name: 'Wages' });
  t.deepEqual((await update({ memberIds: [bob.id] })).body, { ...made.body, name: 'Wages', memberIds: [bob.id] });
  t.deepEqual((await update({ memberIds: [] })).body, { ...made.body, name: 'Wages', memberIds: [] });
  t.deepEqual((await read()).body, { ...made.body, name: 'Wages', memberIds: [] });

  t.is((await remove(owner, id)).status, 204);
  for (const response of [await read(), await update({ name: 'x' }), await remove(owner, id)]) {
    await isRejected(t, response, 404, 'Group not found.');
  }
  t.deepEqual((await must(reader.call('groups', 'list'))).data, []);
});

test('groups are listed by name, in pages; two may have the same name', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  await create(await (await newOrganization(app)).session(), 'Foreign');
  const cy = (await create(owner, 'Cy')).body.id;
  const twins = [(await create(owner, 'Ada')).body.id, (await create(owner, 'Ada', [org.ownerUserId])).body.id].sort();

  const first = await must(org.api.call('groups', 'list', { query: { limit: 2 } }));
  const rest = await must(org.api.call('groups', 'list', { query: { limit: 2, cursor: first.nextCursor ?? '' } }));
  t.deepEqual([first.total, first.hasMore, rest.hasMore, rest.nextCursor], [3, true, false, null]);
  t.deepEqual(
    [...first.data, ...rest.data].map(({ id }) => id),
    [...twins, cy],
  );
  t.deepEqual(
    first.data.flatMap(({ memberIds }) => memberIds),
    [org.ownerUserId],
  );
});

test('only active members of the organization can be in a group', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const stranger = (await newOrganization(app)).ownerUserId;
  const [ada, gone] = [await org.member('Ada'), await org.member('Gone')];
  const { id } = (await create(owner, 'Team', [ada.id, gone.id])).body;
  const memberIds = async () => (await must(org.api.call('groups', 'get', { params: { id } }))).memberIds;

  await must(owner.call('users', 'delete', { params: { id: gone.id } }));
  t.deepEqual(await memberIds(), [ada.id]);
  for (const wrong of [gone.id, stranger, randomUUID()]) {
    await isRejected(t, create(owner, 'x', [ada.id, wrong]), 400, [noMember(1)]);
    await isRejected(
      t,
      owner.call('groups', 'update', { params: { id }, body: { name: 'x', memberIds: [wrong] } }),
      400,
      [noMember(0)],
    );
  }
  await isRejected(t, create(owner, 'x', [ada.id, ada.id]), 400, ['memberIds: must not contain an id twice']);
  t.is((await must(org.api.call('groups', 'get', { params: { id } }))).name, 'Team');
  await must(owner.call('users', 'update', { params: { id: gone.id }, body: { status: 'ACTIVE' } }));
  t.deepEqual(await memberIds(), [ada.id, gone.id].sort());
});

test('replacing the members of a group keeps deactivated ones, who are members again once they are reactivated', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const [ada, bob, gone] = [await org.member('Ada'), await org.member('Bob'), await org.member('Gone')];
  const { id } = (await create(owner, 'Team', [ada.id, gone.id])).body;
  const setStatus = (status: 'ACTIVE' | 'DEACTIVATED') =>
    must(owner.call('users', 'update', { params: { id: gone.id }, body: { status } }));
  const replace = async (memberIds: string[]) =>
    (await must(owner.call('groups', 'update', { params: { id }, body: { memberIds } }))).memberIds;

  await setStatus('DEACTIVATED');
  t.deepEqual(await replace([bob.id]), [bob.id]);
  t.deepEqual(await replace([]), []);
  await setStatus('ACTIVE');
  t.deepEqual((await must(org.api.call('groups', 'get', { params: { id } }))).memberIds, [gone.id]);
  t.deepEqual(await replace([bob.id]), [bob.id]);
});

test('owners and admins manage groups, members read them, and those of other organizations are not found', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  const member = await addMember(app.baseUrl, owner);
  const { id } = (await create(admin.session, 'Team')).body;
  const update = (by: Api, groupId: string) => by.call('groups', 'update', { params: { id: groupId }, body: {} });

  const message = 'Only owners and admins of the organization may do this; ask one of them.';
  for (const response of [create(member.session, 'x'), update(member.session, id), remove(member.session, id)]) {
    await isRejected(t, response, 403, message);
  }
  t.is((await member.session.call('groups', 'get', { params: { id } })).status, 200);
  t.is((await must(member.session.call('groups', 'list'))).total, 1);
  for (const response of [await create(org.api, 'x'), await update(org.api, id), await remove(org.api, id)]) {
    t.is(response.status, 401);
  }

  const stranger = await (await newOrganization(app)).session();
  const read = (by: Api, groupId: string) => by.call('groups', 'get', { params: { id: groupId } });
  for (const response of [await read(stranger, id), await update(stranger, id), await remove(stranger, id)]) {
    await isRejected(t, response, 404, 'Group not found.');
  }
  await isRejected(t, read(stranger, randomUUID()), 404, 'Group not found.');
  t.is((await read(org.api, id)).status, 200);
});

test('a group cannot be deleted while open tasks or templates use it; finished runs keep its id', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { id: assigneeGroupId } = (await create(owner, 'Team')).body;
  const { templateId, taskIds } = await publishProcess(org.api, [{ title: 'Theirs', assigneeGroupId }]);
  const draftOnly = await newTemplate(org.api);
  const task = await addTask(org.api, draftOnly, { approval: { approverGroupIds: [assigneeGroupId] } });
  const [one, two] = [await launchRun(org.api, templateId), await launchRun(org.api, templateId)];
  const cannot = (why: string) =>
    isRejected(t, remove(owner, assigneeGroupId), 400, `The group cannot be deleted while ${why}`);
  const assign = (id: string, taskId: string) =>
    must(
      org.api.call('templates.tasks', 'update', {
        params: { id, taskId },
        body: { assigneeGroupId: null, approval: null },
      }),
    );

  await cannot(
    '2 open tasks are assigned to it and drafts or published versions of 2 templates name it; reassign these tasks and publish first.',
  );
  await must(org.api.call('runs', 'cancel', { params: { id: one.id } }));
  await assign(draftOnly, task.id);
  await cannot(
    '1 open task is assigned to it and the draft or published version of 1 template names it; reassign these tasks and publish first.',
  );
  await assign(templateId, taskIds['Theirs'] ?? '');
  await cannot(
    '1 open task is assigned to it and the draft or published version of 1 template names it; reassign these tasks and publish first.',
  );
  await must(org.api.call('templates', 'publish', { params: { id: templateId } }));
  await cannot('1 open task is assigned to it; reassign the task first.');
  await must(
    org.api.call('runs.tasks', 'setStatus', {
      params: { taskId: two.byTitle('Theirs').runTaskId },
      body: { status: 'COMPLETED' },
    }),
  );

  t.is((await remove(owner, assigneeGroupId)).status, 204);
  for (const { id } of [one, two]) t.like((await getRun(org.api, id)).byTitle('Theirs'), { assigneeGroupId });
  const later = await launchRun(org.api, templateId);
  const params = { taskId: later.byTitle('Theirs').runTaskId };
  await isRejected(t, org.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeGroupId } }), 400, [
    'assigneeGroupId: not a group of this organization; see GET /groups',
  ]);
});

test('a group cannot be deleted while active runs follow a version in which it approves', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { id } = (await create(owner, 'Team')).body;
  const { templateId, taskIds } = await publishProcess(org.api, [
    { title: 'Checked', approval: { approverGroupIds: [id] } },
    { title: 'Other' },
  ]);
  const run = await launchRun(org.api, templateId);
  const params = { id: templateId, taskId: taskIds['Checked'] ?? '' };
  await must(org.api.call('templates.tasks', 'update', { params, body: { approval: null } }));
  await must(org.api.call('templates', 'publish', { params: { id: templateId } }));
  await isRejected(
    t,
    remove(owner, id),
    400,
    'The group cannot be deleted while the approvals or rules of 1 active run name it; complete, cancel or migrate the run first.',
  );
  await must(org.api.call('runs', 'cancel', { params: { id: run.id } }));
  t.is((await remove(owner, id)).status, 204);
});

test('a task cannot be assigned to a group that is being deleted', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { id: assigneeGroupId } = (await create(owner, 'Team')).body;
  const { templateId } = await publishProcess(org.api);
  const runs = [await launchRun(org.api, templateId), await launchRun(org.api, templateId)];
  const taskIds = runs.map(({ byTitle }) => byTitle('Only task').runTaskId);
  const params = { taskId: taskIds[0] ?? '' };
  const theGroup = [org.organizationId, assigneeGroupId];
  const responses = await whileOther(
    app,
    async (client) => {
      await client.query('select from groups where organization_id = $1 and id = $2 for update', theGroup);
      await client.query('update groups set deleted_at = now() where organization_id = $1 and id = $2', theGroup);
    },
    () =>
      Promise.all([
        org.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeGroupId } }),
        org.api.call('runs.tasks', 'bulkUpdate', { body: { taskIds, assigneeGroupId } }),
      ]),
    { count: 2 },
  );
  for (const response of responses) {
    await isRejected(t, response, 400, ['assigneeGroupId: not a group of this organization; see GET /groups']);
  }
  for (const { id } of runs) t.like((await getRun(org.api, id)).byTitle('Only task'), { assigneeGroupId: null });
});

test('after two concurrent replacements, a group has the members of one of them', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const ids = await Promise.all(['A', 'B', 'C', 'D'].map(async (name) => (await org.member(name)).id));
  const [one, two] = [ids.slice(0, 3).sort(), ids.slice(1).sort()];
  const { id } = (await create(owner, 'Team')).body;
  for (let round = 0; round < 5; round += 1) {
    const responses = await Promise.all(
      [one, two, one, two].map((memberIds) => owner.call('groups', 'update', { params: { id }, body: { memberIds } })),
    );
    t.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const { memberIds } = await must(org.api.call('groups', 'get', { params: { id } }));
    t.true([one, two].some((set) => set.join() === memberIds.join()));
  }
});
