import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { publishedPortal, view } from '../support/portals.ts';

const app = useSharedApp(test);

test('a restricted portal is read by members with a rule of their own or of a group, and by administrators', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const owner = await org.session();
  const [ada, bo, admin] = [
    await addMember(app.baseUrl, owner),
    await addMember(app.baseUrl, owner),
    await addMember(app.baseUrl, owner, { role: 'ADMIN' }),
  ];
  const group = await must(owner.call('groups', 'create', { body: { name: 'Group', memberIds: [bo.id] } }));
  const { portal } = await publishedPortal(api, [{ type: 'DIVIDER' }], { audience: 'RESTRICTED' });
  const open = await publishedPortal(api, []);
  const params = { portalId: portal.id };
  const stranger = await newOrganization(app);
  const readers = async () => {
    const callers = { ada: ada.session, bo: bo.session, admin: admin.session, owner, key: api, stranger: stranger.api };
    const names: string[] = [];
    for (const [name, caller] of Object.entries(callers)) {
      const { status, error } = await view(caller, portal.slug);
      const isListed = (await must(caller.call('portals', 'me'))).data.some(({ id }) => id === portal.id);
      t.is(isListed, status === 200, name);
      if (status === 200) names.push(name);
      else t.deepEqual([status, error.message], [404, 'Portal not found.'], name);
    }
    return names.join(' ');
  };
  t.is(await readers(), 'admin owner key');

  const create = (body: object) => api.raw('POST', `/portals/${portal.id}/access-rules`, { body });
  const own = await must(api.call('portals.accessRules', 'create', { params, body: { userId: ada.id } }));
  const { id, createdAt } = own;
  const createdByUserId = org.ownerUserId;
  t.deepEqual(own, { id, portalId: portal.id, userId: ada.id, groupId: null, createdByUserId, createdAt });
  const ofGroup = await must(
    api.call('portals.accessRules', 'create', { params, body: { userId: null, groupId: group.id } }),
  );
  t.is(await readers(), 'ada bo admin owner key');
  await isRejected(t, create({ userId: ada.id }), 400, ['userId: the member has access already; one rule is enough']);
  await isRejected(t, create({ groupId: group.id }), 400, [
    'groupId: the group has access already; one rule is enough',
  ]);
  const either = ['body: must have either userId or groupId'];
  await isRejected(t, create({}), 400, either);
  await isRejected(t, create({ userId: ada.id, groupId: group.id }), 400, either);
  const notAMember = ['userId: not an active member of this organization; see GET /users'];
  await isRejected(t, create({ userId: stranger.ownerUserId }), 400, notAMember);
  await isRejected(t, create({ groupId: ada.id }), 400, ['groupId: not a group of this organization; see GET /groups']);
  t.deepEqual((await must(api.call('portals.accessRules', 'list', { params }))).data, [ofGroup, own]);

  const remove = { params: { ...params, ruleId: own.id } };
  t.is((await api.call('portals.accessRules', 'delete', remove)).status, 204);
  await isRejected(t, api.call('portals.accessRules', 'delete', remove), 404, 'Access rule not found.');
  t.is(await readers(), 'bo admin owner key');
  t.is((await owner.call('groups', 'delete', { params: { id: group.id } })).status, 204);
  t.is(await readers(), 'admin owner key');
  t.is((await must(api.call('portals.accessRules', 'list', { params }))).total, 0);
  const ofOthers = { params: { portalId: open.portal.id, ruleId: ofGroup.id } };
  await isRejected(t, api.call('portals.accessRules', 'delete', ofOthers), 404, 'Access rule not found.');

  await must(api.call('portals', 'update', { params, body: { audience: 'PUBLIC' } }));
  for (const caller of [ada.session, stranger.api]) t.is((await view(caller, portal.slug)).status, 200);
  await must(api.call('portals', 'unpublish', { params }));
  t.is((await view(owner, portal.slug)).status, 404);
});

test('simultaneous identical rules become one, and a portal can have 200', async (t) => {
  const org = await newOrganization(app);
  const { portal } = await publishedPortal(org.api, [], { audience: 'RESTRICTED' });
  const params = { portalId: portal.id };
  const create = (userId: string) => org.api.call('portals.accessRules', 'create', { params, body: { userId } });
  const { id } = await org.member('Ada');
  const same = await Promise.all(Array.from({ length: 4 }, () => create(id)));
  t.deepEqual(
    same.map(({ status }) => status).sort((a, b) => a - b),
    [201, 400, 400, 400],
  );
  const members = await Promise.all(Array.from({ length: 200 }, () => org.member('Member')));
  for (let index = 0; index < 199; index += 20) {
    await Promise.all(members.slice(index, Math.min(index + 20, 199)).map((member) => must(create(member.id))));
  }
  const message = 'A portal can have at most 200 access rules; use groups, or delete a rule.';
  await isRejected(t, create(members[199]?.id ?? ''), 400, message);
  const page = await must(org.api.call('portals.accessRules', 'list', { params, query: { limit: 150 } }));
  const rest = { limit: 150, cursor: page.nextCursor ?? '' };
  const last = await must(org.api.call('portals.accessRules', 'list', { params, query: rest }));
  t.deepEqual([page.total, page.data.length, last.data.length, last.hasMore], [200, 150, 50, false]);
});
