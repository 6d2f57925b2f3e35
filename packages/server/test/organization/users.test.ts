import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import { signIn, type ApiResponse, type Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

const onlyOwners = 'Only owners of the organization may add or change an owner; ask one of them.';
const onlyAdministrators = 'Only owners and admins of the organization may do this; ask one of them.';
const lastOwner = 'This is the last active owner of the organization; make another member an owner first.';

test('members are listed by name, in pages, without secrets', async (t) => {
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
  t.deepEqual(Object.keys(first.data[0] ?? {}).sort(), [
    'createdAt',
    'email',
    'id',
    'name',
    'resourceMode',
    'role',
    'status',
  ]);
  t.like(rest.data[0], { role: 'OWNER', status: 'ACTIVE' });
});

test('a member is read by id, also a deactivated one, but none of another organization', async (t) => {
  const [org, stranger] = [await newOrganization(app), await newOrganization(app)];
  const { id } = await org.member('Ada');
  const get = (by: Api) => by.call('users', 'get', { params: { id } });
  t.like((await get(org.api)).body, { id, name: 'Ada', status: 'ACTIVE' });
  await must((await org.session()).call('users', 'delete', { params: { id } }));
  t.is((await get(org.api)).body.status, 'DEACTIVATED');
  await isRejected(t, get(stranger.api), 404, 'User not found.');
});

test('a new member can sign in, and an email address is unique across organizations', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const email = `Ada.${randomUUID()}@Example.com`;
  const create = (by: Api, body: object) => by.raw('POST', '/users', { body: { name: 'Ada', ...body } });

  const made = await create(owner, { email, password: 'pässword' });
  t.is(made.status, 201);
  t.like(made.body, { email: email.toLowerCase(), name: 'Ada', role: 'MEMBER', status: 'ACTIVE' });
  t.deepEqual(Object.keys(made.body as object).sort(), [
    'createdAt',
    'email',
    'id',
    'name',
    'resourceMode',
    'role',
    'status',
  ]);
  const ada = await signIn(app.baseUrl, email, 'pa\u0308ssword');
  t.is((await must(ada.call('auth', 'session'))).user.email, email.toLowerCase());

  const stranger = await (await newOrganization(app)).session();
  for (const by of [owner, stranger]) {
    await isRejected(t, create(by, { email: email.toUpperCase(), password: 'long enough' }), 400, [
      'email: already in use; use another address',
    ]);
  }
  await isRejected(t, create(owner, { email: 'x', password: 'short', role: 'KING' }), 400, [
    'email: must be an email address',
    'role: must be one of OWNER, ADMIN, MEMBER, VIEWER, GUEST',
    'password: must be at least 8 characters',
  ]);
});

test('owners manage all members, admins all but owners, members none', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  const member = await addMember(app.baseUrl, owner);
  await addMember(app.baseUrl, owner, { role: 'OWNER' });

  const attempts: [what: string, forAdmin: string | null, (by: Api, ids: Ids) => Promise<ApiResponse<unknown>>][] = [
    ['add a member', null, (by) => add(by, 'MEMBER')],
    ['add an admin', null, (by) => add(by, 'ADMIN')],
    ['add an owner', onlyOwners, (by) => add(by, 'OWNER')],
    ['rename a member', null, (by, ids) => patch(by, ids.member, { name: 'New' })],
    ['rename an owner', onlyOwners, (by, ids) => patch(by, ids.owner, { name: 'New' })],
    ['give an owner a password', onlyOwners, (by, ids) => patch(by, ids.owner, { password: 'long enough' })],
    ['make a member an owner', onlyOwners, (by, ids) => patch(by, ids.member, { role: 'OWNER' })],
    ['demote an owner', onlyOwners, (by, ids) => patch(by, ids.owner, { role: 'MEMBER' })],
    ['deactivate an owner', onlyOwners, (by, ids) => by.call('users', 'delete', { params: { id: ids.otherOwner } })],
    ['deactivate a member', null, (by, ids) => by.call('users', 'delete', { params: { id: ids.member } })],
  ];
  for (const [what, forAdmin, attempt] of attempts) {
    const ids = await freshIds(owner);
    await isRejected(t, attempt(member.session, ids), 403, onlyAdministrators);
    if (forAdmin === null) t.true((await attempt(admin.session, ids)).status < 300, what);
    else await isRejected(t, attempt(admin.session, ids), 403, forAdmin);
    t.true((await attempt(owner, ids)).status < 300, what);
    const byKey = await attempt(org.api, ids);
    t.is(byKey.status, 401, what);
    t.regex(String(byKey.error.message), /requires a browser session/);
  }
});

test('members of other organizations are not found', async (t) => {
  const other = await newOrganization(app);
  const owner = await (await newOrganization(app)).session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  for (const id of [other.ownerUserId, randomUUID()]) {
    for (const by of [owner, admin.session]) {
      const responses = [
        await patch(by, id, { role: 'OWNER' }),
        await by.call('users', 'delete', { params: { id } }),
        await by.call('users', 'openTasks', { params: { id } }),
        await by.call('users', 'handOver', { params: { id }, body: { assigneeId: admin.id } }),
      ];
      for (const response of responses) await isRejected(t, response, 404, 'User not found.');
    }
  }
});

test('an organization keeps an active owner, and no one can deactivate themselves', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const self = org.ownerUserId;
  const ownself = 'You cannot deactivate yourself; ask another owner or admin.';
  await isRejected(t, patch(owner, self, { role: 'ADMIN' }), 400, lastOwner);
  await isRejected(t, patch(owner, self, { status: 'DEACTIVATED' }), 400, ownself);
  await isRejected(t, owner.call('users', 'delete', { params: { id: self } }), 400, ownself);

  const second = await addMember(app.baseUrl, owner, { role: 'OWNER' });
  t.is((await owner.call('users', 'delete', { params: { id: second.id } })).status, 204);
  await isRejected(t, patch(owner, self, { role: 'ADMIN' }), 400, lastOwner);
  t.is((await patch(owner, second.id, { status: 'ACTIVE' })).status, 200);
  const back = await signIn(app.baseUrl, second.email, second.password);
  t.is((await back.call('users', 'delete', { params: { id: self } })).status, 204);
  t.is((await owner.call('auth', 'session')).status, 401);
  await isRejected(t, patch(back, second.id, { role: 'MEMBER' }), 400, lastOwner);
});

test('two owners who demote or deactivate each other concurrently leave one owner', async (t) => {
  for (let round = 0; round < 8; round += 1) {
    const org = await newOrganization(app);
    const one = await org.session();
    const { id, session: two } = await addMember(app.baseUrl, one, { role: 'OWNER' });
    const change = round % 2 === 0 ? { role: 'MEMBER' as const } : { status: 'DEACTIVATED' as const };
    const responses = await Promise.all([patch(one, id, change), patch(two, org.ownerUserId, change)]);
    t.is(responses.filter(({ status }) => status === 200).length, 1);
    // The slower one may already be deactivated or demoted.
    t.is(responses.filter(({ status }) => [400, 401, 403].includes(status)).length, 1);
    const { data } = await must(org.api.call('users', 'list')).catch(() => must(two.call('users', 'list')));
    t.is(data.filter(({ role, status }) => role === 'OWNER' && status === 'ACTIVE').length, 1);
  }
});

test('a deactivated member loses access immediately and regains it when reactivated', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { id, email, password, session } = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  const { plainKey } = await must(session.call('apiKeys', 'create', { body: { name: 'Key', scopes: ['runs:read'] } }));
  const withKey = async () =>
    (await owner.raw('GET', '/runs', { headers: { authorization: `Bearer ${plainKey}` } })).status;
  t.is(await withKey(), 200);

  const remove = () => owner.call('users', 'delete', { params: { id } });
  t.is((await remove()).status, 204);
  t.deepEqual([await withKey(), (await session.call('auth', 'session')).status], [401, 401]);
  t.deepEqual(await app.provision.query('select 1 from sessions where user_id = $1', [id]), []);
  await t.throwsAsync(signIn(app.baseUrl, email, password), { message: /401/ });
  t.is((await remove()).status, 204);

  t.like((await patch(owner, id, { status: 'ACTIVE' })).body, { id, status: 'ACTIVE', role: 'ADMIN' });
  t.deepEqual([await withKey(), (await session.call('auth', 'session')).status], [200, 401]);
  t.is((await (await signIn(app.baseUrl, email, password)).call('auth', 'session')).status, 200);
});

test('a new password ends all sessions of the member; other changes end none', async (t) => {
  const owner = await (await newOrganization(app)).session();
  const { id, email, password, session } = await addMember(app.baseUrl, owner);
  t.like((await patch(owner, id, { name: ' Ada ', role: 'ADMIN' })).body, { name: 'Ada', role: 'ADMIN', email });
  t.is((await session.call('auth', 'session')).body.user.role, 'ADMIN');

  t.is((await patch(owner, id, { password: 'another one' })).status, 200);
  t.is((await session.call('auth', 'session')).status, 401);
  await t.throwsAsync(signIn(app.baseUrl, email, password), { message: /401/ });
  t.is((await (await signIn(app.baseUrl, email, 'another one')).call('auth', 'session')).status, 200);
});

interface Ids {
  readonly member: string;
  readonly owner: string;
  readonly otherOwner: string;
}

/** Creates a member and two owners for one attempt and returns their ids. */
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

test('the list has the active members, or those with a status or an email address', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const ada = await addMember(app.baseUrl, owner, { name: 'Ada' });
  const bob = await addMember(app.baseUrl, owner, { name: 'Bob' });
  await must(owner.call('users', 'delete', { params: { id: bob.id } }));
  const named = async (query: { status?: 'ACTIVE' | 'DEACTIVATED' | 'ALL'; email?: string } = {}) => {
    const { data, total } = await must(org.api.call('users', 'list', { query }));
    return [total, ...data.map(({ name }) => name)];
  };
  t.deepEqual(await named(), [2, 'Ada', 'Owner']);
  t.deepEqual(await named({ status: 'DEACTIVATED' }), [1, 'Bob']);
  t.deepEqual(await named({ status: 'ALL' }), [3, 'Ada', 'Bob', 'Owner']);
  t.deepEqual(await named({ email: ada.email.toUpperCase() }), [1, 'Ada']);
  t.deepEqual(await named({ email: ada.email.slice(1) }), [0]);
  t.deepEqual(await named({ email: bob.email }), [0]);
  t.deepEqual(await named({ email: bob.email, status: 'ALL' }), [1, 'Bob']);
});
