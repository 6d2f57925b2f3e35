import { createHash } from 'node:crypto';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { linesOf } from '../support/audit.ts';

const app = useSharedApp(test);
const keyBody = { name: '=HYPERLINK("x")', scopes: ['runs:read' as const] };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a change leaves a line that says who made it, from where, and what differs', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  const ada = await org.member('Ada');
  const params = { id: ada.id };
  await must(
    session.call('users', 'update', { params, body: { name: 'Ada', role: 'ADMIN', password: 'a new secret' } }),
  );
  const [password, role, signIn] = await linesOf(session);
  const actor = { type: 'USER', userId: org.ownerUserId, apiKeyId: null } as const;
  const target = { type: 'USER', id: ada.id, label: ada.email } as const;
  t.like(role, { action: 'user.updated', actor, address: '127.0.0.1', target });
  t.deepEqual([role?.before, role?.after], [{ role: 'MEMBER' }, { role: 'ADMIN' }]);
  t.like(password, { action: 'user.password_set', actor, target, before: null, after: null });
  t.like(signIn, { action: 'session.started', actor });

  await must(session.call('users', 'update', { params, body: { name: 'Ada', role: 'ADMIN' } }));
  t.is(
    (await linesOf(session)).length,
    6,
    'the organization, its owner and its key came first; nothing was changed now',
  );
});

test('a change by an API key names the key and the member who made it', async (t) => {
  const org = await newOrganization(app);
  const body = { name: 'Payroll', url: 'http://127.0.0.1:9/hook', enabledEvents: ['run.started' as const] };
  const webhook = await must(org.api.call('webhooks', 'create', { body }));
  await must(org.api.call('folders', 'create', { body: { name: 'HR' } }));
  const [folder, line] = await linesOf(await org.session(), {}, 1);
  const actor = { type: 'API_KEY', userId: org.ownerUserId, apiKeyId: org.apiKeyId };
  t.like(folder, { action: 'folder.created', actor });
  t.like(line, { action: 'webhook.created', actor, target: { id: webhook.id, label: 'Payroll' } });
  t.like(line?.after, body);
});

test('the hashes chain the lines, as computed without the code of the service', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  const names = ['plain', 'quotes " and \\', 'ünïcödé 😀', '"sequence":0,"target":'];
  for (const name of names) {
    await must(session.call('groups', 'create', { body: { name } }));
  }
  const csv = await session.raw('GET', '/audit-log/export');
  const lines = parse<Record<string, string>>(String(csv.body), { columns: true, bom: true });
  let previous = '0'.repeat(64);
  for (const [index, line] of lines.entries()) {
    t.is(line['previousHash'], previous);
    previous = sha256(`${previous}\n${line['line']}`);
    t.is(line['hash'], previous, line['line']);
    t.like(JSON.parse(line['line'] ?? ''), { sequence: index + 1, action: line['action'], at: line['at'] });
  }
  t.is(lines.length, 4 + names.length + 1, 'with the export itself');
  const stored = (await linesOf(session)).map(({ hash: _, previousHash: __, ...line }) => line).toReversed();
  t.deepEqual(
    lines.map(({ line = '' }) => JSON.parse(line) as unknown),
    stored,
  );
});

test('concurrent changes of an organization keep one chain', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  const names = Array.from({ length: 12 }, (_, index) => `Group ${index}`);
  await Promise.all(names.map(async (name) => must(session.call('groups', 'create', { body: { name } }))));
  const lines = (await linesOf(session)).toReversed();
  t.deepEqual(
    lines.map(({ sequence }) => sequence),
    lines.map((_, index) => index + 1),
  );
  for (const [index, { previousHash }] of lines.entries()) {
    t.is(previousHash, lines[index - 1]?.hash ?? '0'.repeat(64));
  }
});

test('a rejected change leaves no line', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  const before = await linesOf(session);
  const member = { email: org.ownerEmail, name: 'Again', password: 'long enough' };
  t.is((await session.call('users', 'create', { body: member })).status, 400);
  const params = { id: org.ownerUserId };
  t.is((await session.call('users', 'update', { params, body: { role: 'MEMBER' } })).status, 400);
  t.is((await session.call('users', 'delete', { params })).status, 400);
  t.deepEqual(await linesOf(session), before);
});

test('lines are found by action, actor, target and time, newest first and in pages', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const ada = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  await must(ada.session.call('groups', 'create', { body: { name: 'HR' } }));
  await must(org.api.call('folders', 'create', { body: { name: 'HR' } }));
  const actions = async (query: Parameters<typeof linesOf>[1]) =>
    (await linesOf(owner, query)).map(({ action }) => action);
  t.deepEqual(await actions({ action: 'group.created' }), ['group.created']);
  t.deepEqual(await actions({ actorId: ada.id }), ['group.created', 'session.started']);
  t.deepEqual(await actions({ actorId: org.apiKeyId }), ['folder.created']);
  t.deepEqual(await actions({ targetId: ada.id }), ['user.created']);
  const all = await linesOf(owner);
  const group = all.find(({ action }) => action === 'group.created');
  const later = new Date(Date.parse(group?.at ?? '') + 1).toISOString();
  t.true((await actions({ from: group?.at ?? '', to: later })).includes('group.created'));
  t.false((await actions({ from: later })).includes('group.created'));
  t.false((await actions({ to: group?.at ?? '' })).includes('group.created'));

  const first = await must(owner.call('auditLog', 'list', { query: { limit: 3 } }));
  const rest = await must(owner.call('auditLog', 'list', { query: { limit: 200, cursor: first.nextCursor ?? '' } }));
  t.deepEqual([...first.data, ...rest.data], all);
  t.deepEqual([first.total, first.hasMore, rest.hasMore], [all.length, true, false]);
});

test('the export neutralizes formulas and has the lines of its filter', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  await must(session.call('apiKeys', 'create', { body: keyBody }));
  const answer = await session.raw('GET', '/audit-log/export?action=api_key.created');
  t.is(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  const lines = parse<Record<string, string>>(String(answer.body), { columns: true });
  t.deepEqual(
    lines.map(({ targetLabel }) => targetLabel),
    ['First key', `'${keyBody.name}`],
  );
  t.like(JSON.parse(lines[1]?.['after'] ?? ''), { name: keyBody.name, scopes: keyBody.scopes });
  const [exported] = await linesOf(session);
  t.like(exported, { action: 'audit_log.exported', after: { action: 'api_key.created' } });
});

test('only owners and admins in a session see the lines, and only those of their organization', async (t) => {
  const org = await newOrganization(app);
  const stranger = await newOrganization(app);
  const session = await org.session();
  const { session: member, id } = await addMember(app.baseUrl, session);
  for (const path of ['/audit-log', '/audit-log/export']) {
    t.is((await member.raw('GET', path)).status, 403);
    t.is((await org.api.raw('GET', path)).status, 401);
  }
  const theirs = await stranger.session();
  t.deepEqual(await linesOf(theirs, { targetId: id }), []);
  t.deepEqual(await linesOf(theirs, { actorId: org.ownerUserId }), []);
  t.is((await linesOf(theirs)).length, 4);
});

test('malformed filters are rejected by name', async (t) => {
  const session = await (await newOrganization(app)).session();
  for (const [query, message] of [
    ['action=user.vanished', /^action: /],
    ['actorId=me', /^actorId: must be a UUID/],
    ['targetId=1', /^targetId: must be a UUID/],
    ['from=yesterday', /^from: must be an ISO 8601 timestamp/],
    ['to=1', /^to: must be an ISO 8601 timestamp/],
    ['cursor=abc', /^cursor: /],
    ['limit=0', /^limit: /],
  ] as const) {
    const { status, error } = await session.raw('GET', `/audit-log?${query}`);
    t.is(status, 400, query);
    t.regex([error.message].flat().join('\n'), message);
  }
});
