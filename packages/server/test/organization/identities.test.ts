import { randomUUID } from 'node:crypto';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

async function link({ organizationId }: Pick<TestOrganization, 'organizationId'>, userId: string): Promise<string> {
  const subject = randomUUID();
  await app.provision.query(
    `insert into identities (organization_id, id, user_id, issuer, subject, created_at, last_used_at)
     values ($1, gen_random_uuid(), $2, 'https://login.example.com', $3, now(), now())`,
    [organizationId, userId, subject],
  );
  return subject;
}

test('members see the accounts with which they sign in, and administrators see those of every member', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const member = await addMember(app.baseUrl, owner);
  const subject = await link(org, member.id);
  const wanted = { provider: null, issuer: 'https://login.example.com', subject };
  const params = { id: member.id };
  t.like((await must(member.session.call('auth', 'identities'))).data, [wanted]);
  t.like((await must(owner.call('users', 'identities', { params }))).data, [wanted]);
  t.deepEqual((await must(owner.call('auth', 'identities'))).data, []);
  t.is((await member.session.call('users', 'identities', { params })).status, 403);
  t.is((await member.session.call('users', 'unlink', { params })).status, 403);
  const foreign = await (await newOrganization(app)).session();
  t.is((await foreign.call('users', 'identities', { params })).status, 404);
  t.is((await foreign.call('users', 'unlink', { params })).status, 404);
  t.is((await must(owner.call('users', 'identities', { params }))).total, 1);
});

test('unlinking a member ends the sessions that a provider began, and no others', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const member = await addMember(app.baseUrl, owner);
  await link(org, member.id);
  await app.provision.query(`update sessions set issuer = 'https://login.example.com' where user_id = $1`, [member.id]);
  t.is((await owner.call('users', 'unlink', { params: { id: member.id } })).status, 204);
  t.is((await member.session.call('auth', 'session')).status, 401);
  t.is((await owner.call('auth', 'session')).status, 200);
  t.deepEqual((await must(owner.call('users', 'identities', { params: { id: member.id } }))).data, []);
  const lines = await must(owner.call('auditLog', 'list', { query: { action: 'user.identity_unlinked' } }));
  t.like(lines.data, [{ target: { type: 'USER', id: member.id, label: member.email } }]);
});

test('only owners unlink owners', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  await link(org, org.ownerUserId);
  t.is((await admin.session.call('users', 'unlink', { params: { id: org.ownerUserId } })).status, 403);
  t.is((await must(owner.call('auth', 'identities'))).total, 1);
});
