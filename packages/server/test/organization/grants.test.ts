import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { linesOf } from '../support/audit.ts';

const app = useSharedApp(test);

test('a viewer reads the runs of granted templates from the grant until it is revoked, and changes nothing', async (t) => {
  const org = await newOrganization(app);
  const administrator = await org.session();
  const viewer = await addMember(app.baseUrl, administrator, { role: 'VIEWER' });
  const { templateId } = await publishProcess(org.api, [{ title: 'Task' }]);
  const run = await launchRun(org.api, templateId);
  const read = async () => (await viewer.session.call('runs', 'get', { params: { id: run.id } })).status;
  t.is(await read(), 403);
  const body = { userId: viewer.id, templateId };
  const granted = await must(administrator.call('grants', 'create', { body }));
  t.deepEqual(await must(administrator.call('grants', 'create', { body })), granted, 'granted twice is one grant');
  t.is(await read(), 200);
  t.is((await must(viewer.session.call('runs', 'list'))).total, 1);
  t.is((await must(viewer.session.call('analytics', 'summary'))).total, 1);
  const params = { taskId: run.tasks[0]?.runTaskId ?? '' };
  const changed = await viewer.session.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } });
  t.is(changed.status, 403);
  await must(administrator.call('grants', 'delete', { params: { id: granted.id } }));
  t.is(await read(), 403);
});

test('the audit log names who has a grant and what it is of', async (t) => {
  const org = await newOrganization(app);
  const administrator = await org.session();
  const member = await addMember(app.baseUrl, administrator);
  const { id: groupId } = await must(administrator.call('groups', 'create', { body: { name: 'Buyers' } }));
  const { id: folderId } = await must(org.api.call('folders', 'create', { body: { name: 'Finance' } }));
  const { templateId } = await publishProcess(org.api, [{ title: 'Task' }], { name: 'Onboarding' });
  const { id } = await must(administrator.call('grants', 'create', { body: { userId: member.id, folderId } }));
  await must(administrator.call('grants', 'delete', { params: { id } }));
  await must(administrator.call('grants', 'create', { body: { groupId, templateId } }));
  const [ofGroup, revoked, ofMember] = await linesOf(administrator);
  t.like(ofMember, { action: 'grant.created', target: { type: 'USER', id: member.id, label: member.email } });
  t.like(ofMember?.after, { folderId, folderName: 'Finance' });
  t.like(revoked, { action: 'grant.revoked', target: { label: member.email } });
  t.like(revoked?.before, { folderId, folderName: 'Finance' });
  t.like(ofGroup, { action: 'grant.created', target: { type: 'GROUP', id: groupId, label: 'Buyers' } });
  t.like(ofGroup?.after, { templateId, templateName: 'Onboarding' });
});

test('grants are listed newest first, by who has them and what they are of', async (t) => {
  const org = await newOrganization(app);
  const administrator = await org.session();
  const member = await org.member('Ada');
  const { id: folderId } = await must(org.api.call('folders', 'create', { body: { name: 'Finance' } }));
  const { templateId } = await publishProcess(org.api, [{ title: 'Task' }]);
  const userId = member.id;
  const first = await must(administrator.call('grants', 'create', { body: { userId, folderId } }));
  const second = await must(administrator.call('grants', 'create', { body: { userId, templateId } }));
  const list = async (query: object) => (await must(administrator.call('grants', 'list', { query }))).data;
  t.deepEqual(await list({}), [second, first]);
  t.deepEqual(await list({ userId, templateId }), [second]);
  t.deepEqual(await list({ folderId }), [first]);
  t.deepEqual(await list({ userId: org.ownerUserId }), []);
  await must(org.api.call('folders', 'delete', { params: { id: folderId } }));
  t.deepEqual(await list({}), [second], 'a grant goes with its folder');
  t.is((await administrator.call('grants', 'delete', { params: { id: first.id } })).status, 404);
});

test('a grant names one member or group and one template or folder, all of this organization', async (t) => {
  const org = await newOrganization(app);
  const other = await newOrganization(app);
  const administrator = await org.session();
  const { templateId } = await publishProcess(org.api, [{ title: 'Task' }]);
  const { templateId: foreign } = await publishProcess(other.api, [{ title: 'Task' }]);
  const userId = org.ownerUserId;
  const create = async (body: object) => {
    const { status, error } = await administrator.call('grants', 'create', { body });
    t.is(status, 400);
    return JSON.stringify(error.message);
  };
  t.regex(await create({ userId }), /needs either templateId or folderId/);
  t.regex(await create({ templateId }), /needs either userId or groupId/);
  t.regex(await create({ userId, groupId: userId, templateId }), /needs either userId or groupId/);
  t.regex(await create({ userId, templateId: foreign }), /templateId: not a template of this organization/);
  t.regex(await create({ userId: other.ownerUserId, templateId }), /userId: not an active member/);
  t.regex(await create({ groupId: userId, folderId: userId }), /groupId: not a group.*folderId: not a folder/);
  t.is((await must(administrator.call('grants', 'list'))).total, 0);
});
