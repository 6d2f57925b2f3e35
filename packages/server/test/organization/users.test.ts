import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import test from 'ava';
import { Session } from '../../src/organization/entities/session.ts';
import { lockRun } from '../../src/runs/store/load.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { signIn, type Answer, type Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { refused } from '../support/expect-rejection.ts';
import { newGroup } from '../support/templates.ts';

const app = useApp(test);

const onlyOwners = 'Only owners of the organization may add or change an owner; ask one of them.';
const onlyAdministrators = 'Only owners and admins of the organization may do this; ask one of them.';
const lastOwner = 'This is the last active owner of the organization; make another member an owner first.';

test('members are listed by name, page by page, without their secrets', async (t) => {
  const org = await newOrganization(app);
  await newOrganization(app);
  const cy = await org.member('Cy');
  const ada = await org.member('Ada');
  const twin = await org.member('Ada');

  const first = await must(org.api.call('users', 'list', { query: { limit: 3 } }));
  const rest = await must(org.api.call('users', 'list', { query: { limit: 3, cursor: first.nextCursor ?? '' } }));

  t.is(first.total, 4);
  t.deepEqual(
    [...first.data, ...rest.data].map(({ id }) => id),
    [...[ada.id, twin.id].sort(), cy.id, org.ownerUserId],
  );
  t.deepEqual(Object.keys(first.data[0] ?? {}).sort(), ['createdAt', 'email', 'id', 'name', 'role', 'status']);
  t.like(rest.data[0], { role: 'OWNER', status: 'ACTIVE' });
});

test('a new member can sign in; an address can be taken once in the world', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const email = `Ada.${randomUUID()}@Example.com`;
  const create = (by: Api, body: object) => by.raw('POST', '/users', { body: { name: 'Ada', ...body } });

  const made = await create(owner, { email, password: 'pässword' });
  t.is(made.status, 201);
  t.like(made.body, { email: email.toLowerCase(), name: 'Ada', role: 'MEMBER', status: 'ACTIVE' });
  t.deepEqual(Object.keys(made.body as object).sort(), ['createdAt', 'email', 'id', 'name', 'role', 'status']);
  const ada = await signIn(app.baseUrl, email, 'pa\u0308ssword');
  t.is((await must(ada.call('auth', 'session'))).user.email, email.toLowerCase());

  const stranger = await (await newOrganization(app)).session();
  for (const by of [owner, stranger]) {
    await refused(t, create(by, { email: email.toUpperCase(), password: 'long enough' }), 400, [
      'email: already in use; use another address',
    ]);
  }
  await refused(t, create(owner, { email: 'x', password: 'short', role: 'KING' }), 400, [
    'email: must be an email address',
    'role: must be one of OWNER, ADMIN, MEMBER',
    'password: must be at least 8 characters',
  ]);
});

test('owners do everything, admins all but with owners, members nothing', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  const member = await addMember(app.baseUrl, owner);
  await addMember(app.baseUrl, owner, { role: 'OWNER' });

  const attempts: [what: string, forAdmin: string | null, (by: Api, ids: Ids) => Promise<Answer<unknown>>][] = [
    ['add a member', null, (by) => add(by, 'MEMBER')],
    ['add an admin', null, (by) => add(by, 'ADMIN')],
    ['add an owner', onlyOwners, (by) => add(by, 'OWNER')],
    ['rename a member', null, (by, ids) => patch(by, ids.member, { name: 'New' })],
    ['rename an owner', onlyOwners, (by, ids) => patch(by, ids.owner, { name: 'New' })],
    ['give an owner a password', onlyOwners, (by, ids) => patch(by, ids.owner, { password: 'long enough' })],
    ['make a member an owner', onlyOwners, (by, ids) => patch(by, ids.member, { role: 'OWNER' })],
    ['demote an owner', onlyOwners, (by, ids) => patch(by, ids.owner, { role: 'MEMBER' })],
    ['deactivate an owner', onlyOwners, (by, ids) => by.call('users', 'remove', { params: { id: ids.otherOwner } })],
    ['deactivate a member', null, (by, ids) => by.call('users', 'remove', { params: { id: ids.member } })],
  ];
  for (const [what, forAdmin, attempt] of attempts) {
    const ids = await freshIds(owner);
    await refused(t, attempt(member.session, ids), 403, onlyAdministrators);
    if (forAdmin === null) t.true((await attempt(admin.session, ids)).status < 300, what);
    else await refused(t, attempt(admin.session, ids), 403, forAdmin);
    t.true((await attempt(owner, ids)).status < 300, what);
    const byKey = await attempt(org.api, ids);
    t.is(byKey.status, 401, what);
    t.regex(String(byKey.error.message), /requires a browser session/);
  }
});

test('members of other organizations are not there, whatever is asked', async (t) => {
  const other = await newOrganization(app);
  const owner = await (await newOrganization(app)).session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  for (const id of [other.ownerUserId, randomUUID()]) {
    for (const by of [owner, admin.session]) {
      const answers = [
        await patch(by, id, { role: 'OWNER' }),
        await by.call('users', 'remove', { params: { id } }),
        await by.call('users', 'openTasks', { params: { id } }),
        await by.call('users', 'handOver', { params: { id }, body: { assigneeId: admin.id } }),
      ];
      for (const answer of answers) await refused(t, answer, 404, 'User not found.');
    }
  }
});

test('an organization keeps an active owner, and nobody shuts themselves out', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const self = org.ownerUserId;
  const ownself = 'You cannot deactivate yourself; ask another owner or admin.';
  await refused(t, patch(owner, self, { role: 'ADMIN' }), 400, lastOwner);
  await refused(t, patch(owner, self, { status: 'DEACTIVATED' }), 400, ownself);
  await refused(t, owner.call('users', 'remove', { params: { id: self } }), 400, ownself);

  const second = await addMember(app.baseUrl, owner, { role: 'OWNER' });
  t.is((await owner.call('users', 'remove', { params: { id: second.id } })).status, 204);
  await refused(t, patch(owner, self, { role: 'ADMIN' }), 400, lastOwner);
  t.is((await patch(owner, second.id, { status: 'ACTIVE' })).status, 200);
  const back = await signIn(app.baseUrl, second.email, second.password);
  t.is((await back.call('users', 'remove', { params: { id: self } })).status, 204);
  t.is((await owner.call('auth', 'session')).status, 401);
  await refused(t, patch(back, second.id, { role: 'MEMBER' }), 400, lastOwner);
});

test('two owners who demote or deactivate each other at once leave one', async (t) => {
  for (let round = 0; round < 8; round += 1) {
    const org = await newOrganization(app);
    const one = await org.session();
    const { id, session: two } = await addMember(app.baseUrl, one, { role: 'OWNER' });
    const change = round % 2 === 0 ? { role: 'MEMBER' as const } : { status: 'DEACTIVATED' as const };
    const answers = await Promise.all([patch(one, id, change), patch(two, org.ownerUserId, change)]);
    t.is(answers.filter(({ status }) => status === 200).length, 1);
    // The slower one may find itself out, or no longer an administrator, already.
    t.is(answers.filter(({ status }) => [400, 401, 403].includes(status)).length, 1);
    const { data } = await must(org.api.call('users', 'list')).catch(() => must(two.call('users', 'list')));
    t.is(data.filter(({ role, status }) => role === 'OWNER' && status === 'ACTIVE').length, 1);
  }
});

test('a deactivated member is out at once, and in again once they come back', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { id, email, password, session } = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  const { plainKey } = await must(session.call('apiKeys', 'create', { body: { name: 'Key', scopes: ['runs:read'] } }));
  const withKey = async () =>
    (await owner.raw('GET', '/runs', { headers: { authorization: `Bearer ${plainKey}` } })).status;
  t.is(await withKey(), 200);

  const remove = () => owner.call('users', 'remove', { params: { id } });
  t.is((await remove()).status, 204);
  t.deepEqual([await withKey(), (await session.call('auth', 'session')).status], [401, 401]);
  t.is(await inTransaction(app.database, (em) => em.count(Session, { userId: id })), 0);
  await t.throwsAsync(signIn(app.baseUrl, email, password), { message: /401/ });
  t.is((await remove()).status, 204);

  t.like((await patch(owner, id, { status: 'ACTIVE' })).body, { id, status: 'ACTIVE', role: 'ADMIN' });
  t.deepEqual([await withKey(), (await session.call('auth', 'session')).status], [200, 401]);
  t.is((await (await signIn(app.baseUrl, email, password)).call('auth', 'session')).status, 200);
});

test('a new password ends all sessions of the member, other changes none', async (t) => {
  const owner = await (await newOrganization(app)).session();
  const { id, email, password, session } = await addMember(app.baseUrl, owner);
  t.like((await patch(owner, id, { name: ' Ada ', role: 'ADMIN' })).body, { name: 'Ada', role: 'ADMIN', email });
  t.is((await session.call('auth', 'session')).body.user.role, 'ADMIN');

  t.is((await patch(owner, id, { password: 'another one' })).status, 200);
  t.is((await session.call('auth', 'session')).status, 401);
  await t.throwsAsync(signIn(app.baseUrl, email, password), { message: /401/ });
  t.is((await (await signIn(app.baseUrl, email, 'another one')).call('auth', 'session')).status, 200);
});

test('open tasks are those of active runs, oldest first, page by page', async (t) => {
  const { org, owner, member, runs } = await assignedRuns();
  const [first, second, ended, done] = runs;
  await must(org.api.call('runs', 'cancel', { params: { id: ended.id } }));
  const taskId = done.byTitle('Theirs').runTaskId;
  await must(org.api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));

  const read = (query: { limit?: number; cursor?: string }) =>
    must(owner.call('users', 'openTasks', { params: { id: member.id }, query }));
  const page = await read({ limit: 1 });
  const rest = await read({ cursor: page.nextCursor ?? '' });
  t.deepEqual([page.total, page.hasMore, rest.hasMore], [2, true, false]);
  t.deepEqual(
    [...page.data, ...rest.data],
    [first, second].map((run) => ({
      runTaskId: run.byTitle('Theirs').runTaskId,
      title: 'Theirs',
      dueAt: run.byTitle('Theirs').dueAt,
      runId: run.id,
      runTitle: run.title,
      templateId: run.templateId,
    })),
  );
  t.truthy(page.data[0]?.dueAt);
});

test('all open tasks are handed over at once, and the activity of each run tells by whom', async (t) => {
  const { org, owner, member, runs } = await assignedRuns();
  const [first, , ended] = runs;
  await must(org.api.call('runs', 'cancel', { params: { id: ended.id } }));
  t.is((await owner.call('users', 'remove', { params: { id: member.id } })).status, 204);
  const colleague = await org.member('Colleague');
  const handOver = (id: string, body: object) => owner.raw('POST', `/users/${id}/hand-over`, { body });

  t.deepEqual((await handOver(member.id, { assigneeId: colleague.id })).body, { handedOver: 3 });
  const run = await getRun(org.api, first.id);
  t.like(run.byTitle('Theirs'), { assigneeId: colleague.id, assigneeGroupId: null });
  t.like(run.byTitle('Mine'), { assigneeId: null });
  t.like((await getRun(org.api, ended.id)).byTitle('Theirs'), { assigneeId: member.id });
  const { data } = await must(org.api.call('runs', 'activity', { params: { id: first.id } }));
  t.like(data[0], { type: 'task.assigned', actor: { type: 'USER', userId: org.ownerUserId } });
  t.is((await must(owner.call('users', 'openTasks', { params: { id: member.id } }))).total, 0);
  t.deepEqual((await handOver(member.id, { assigneeId: colleague.id })).body, { handedOver: 0 });

  const groupId = await newGroup(app, org.organizationId);
  t.deepEqual((await handOver(colleague.id, { assigneeGroupId: groupId })).body, { handedOver: 3 });
  t.like((await getRun(org.api, first.id)).byTitle('Theirs'), { assigneeId: null, assigneeGroupId: groupId });
});

test('several tasks of one run are handed over together, all or none of all runs', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const [member, colleague] = [await org.member('Member'), await org.member('Colleague')];
  const sketch = ['A', 'B', 'C'].map((title) => ({ title, assigneeId: member.id }));
  const { templateId } = await publishProcess(org.api, sketch);
  const [first, second] = [await launchRun(org.api, templateId), await launchRun(org.api, templateId)];
  const assignees = async (id: string) => (await getRun(org.api, id)).tasks.map(({ assigneeId }) => assigneeId);

  const body = { assigneeId: colleague.id };
  const pending = await inTransaction(app.database, async (em) => {
    await lockRun(em, org.organizationId, { runId: second.id });
    const call = owner.call('users', 'handOver', { params: { id: member.id }, body });
    const winner = await Promise.race([call, new Promise((resolve) => setTimeout(resolve, 400, 'waits'))]);
    t.is(winner, 'waits');
    t.deepEqual(await assignees(first.id), Array(3).fill(member.id));
    return { call };
  });
  t.deepEqual((await pending.call).body, { handedOver: 6 });
  for (const { id } of [first, second]) t.deepEqual(await assignees(id), Array(3).fill(colleague.id));
  const { total } = await must(org.api.call('runs', 'activity', { params: { id: first.id } }));
  t.is(total, 4);
});

test('tasks go to somebody else who is there', async (t) => {
  const org = await newOrganization(app);
  const other = await newOrganization(app);
  const owner = await org.session();
  const [member, gone] = [await org.member('Member'), await org.member('Gone')];
  await must(owner.call('users', 'remove', { params: { id: gone.id } }));
  const send = (body: object) => owner.raw('POST', `/users/${member.id}/hand-over`, { body });

  const inactive = ['assigneeId: not an active member of this organization; see GET /users'];
  await refused(t, send({ assigneeId: member.id }), 400, ['assigneeId: has these tasks already; name somebody else']);
  for (const id of [gone.id, other.ownerUserId, randomUUID()])
    await refused(t, send({ assigneeId: id }), 400, inactive);
  const foreign = await newGroup(app, other.organizationId);
  await refused(t, send({ assigneeGroupId: foreign }), 400, [
    'assigneeGroupId: not a group of this organization; see GET /groups',
  ]);
  for (const body of [{}, { assigneeId: null }, { assigneeId: gone.id, assigneeGroupId: foreign }]) {
    await refused(t, send(body), 400, ['body: must contain exactly one of assigneeId and assigneeGroupId']);
  }
});

interface Ids {
  readonly member: string;
  readonly owner: string;
  readonly otherOwner: string;
}

/** A member and two owners for one attempt. */
async function freshIds(owner: Api): Promise<Ids> {
  const [member, one, two] = [await add(owner, 'MEMBER'), await add(owner, 'OWNER'), await add(owner, 'OWNER')];
  return { member: member.body.id, owner: one.body.id, otherOwner: two.body.id };
}

function add(by: Api, role: 'OWNER' | 'ADMIN' | 'MEMBER') {
  const body = { email: `${randomUUID()}@example.com`, name: 'Another', role, password: 'long enough' };
  return by.call('users', 'create', { body });
}

function patch(by: Api, id: string, body: BodyInput<Contract['users']['update']>) {
  return by.call('users', 'update', { params: { id }, body });
}

/** Four runs with a task of a member and one of nobody's. */
async function assignedRuns() {
  const org: TestOrganization = await newOrganization(app);
  const owner = await org.session();
  const member = await org.member('Member');
  const { templateId } = await publishProcess(org.api, [
    { title: 'Mine' },
    { title: 'Theirs', assigneeId: member.id, due: { from: 'LAUNCH', offset: 'P3D' } },
  ]);
  const launch = () => launchRun(org.api, templateId);
  const runs = [await launch(), await launch(), await launch(), await launch()] as const;
  return { org, owner, member, runs };
}
