import { randomUUID } from 'node:crypto';
import { scopes, type BodyInput, type Contract } from '@runward/contract';
import { apiOf, type Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { newFolder, newTemplate } from '../support/templates.ts';
import { during } from '../support/time.ts';

const app = useSharedApp(test);

type NewKey = BodyInput<Contract['apiKeys']['create']>;

const create = (by: Api, settings: Partial<NewKey> = {}) =>
  by.call('apiKeys', 'create', { body: { name: 'Key', scopes: ['runs:read'], ...settings } });
const revoke = (by: Api, id: string) => by.call('apiKeys', 'revoke', { params: { id } });
const list = (by: Api, query: { limit?: number; cursor?: string } = {}) => must(by.call('apiKeys', 'list', { query }));
const use = async (key: string) => (await apiOf(app.baseUrl, key).raw('GET', '/runs')).status;

test('a key works from creation to revocation and is shown in full once', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const made = await create(owner, { name: ' Payroll ', scopes: ['runs:read', 'files:read'] });
  t.is(made.status, 201);
  const { plainKey, ...key } = made.body;
  t.regex(plainKey, /^sk_live_[0-9A-Za-z]{49}$/);
  t.like(key, {
    name: 'Payroll',
    keyPrefix: `sk_live_…${plainKey.slice(-4)}`,
    scopes: ['runs:read', 'files:read'],
    resourceMode: 'ALL',
    scopedTemplateIds: [],
    scopedFolderIds: [],
    status: 'ACTIVE',
    expiresAt: null,
    lastUsedAt: null,
    createdByUserId: org.ownerUserId,
  });

  const { result, isDuring } = await during(async () => {
    t.is(await use(plainKey), 200);
    const used = async () => {
      const page = await list(owner);
      return page.data[0]?.lastUsedAt ? page : null;
    };
    return until(used, 'the time of the last use, which is written after the response');
  });
  const { data, total } = result;
  t.is(total, 2);
  const { lastUsedAt, ...shown } = data[0] ?? key;
  t.deepEqual({ ...shown, lastUsedAt: null }, key);
  t.true(isDuring(lastUsedAt));
  t.is(data[1]?.name, 'First key');

  t.is((await revoke(owner, key.id)).status, 204);
  t.is(await use(plainKey), 401);
  t.deepEqual(
    (await list(owner)).data.map(({ name }) => name),
    ['First key'],
  );
  await isRejected(t, revoke(owner, key.id), 404, 'API key not found.');
});

test('only the response to its creation contains a key, and no response its hash', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const { plainKey } = (await create(owner)).body;
  const answers = [await owner.raw('GET', '/api-keys'), await create(owner), await owner.raw('GET', '/users')];
  const [stored] = await app.provision.query<{ hash: string }>(
    `select encode(key_hash, 'hex') as hash from api_keys where organization_id = $1 and key_suffix = $2`,
    [org.organizationId, plainKey.slice(-4)],
  );
  const keyHash = Buffer.from(stored?.hash ?? '', 'hex');
  t.is(keyHash.length, 32);
  const text = JSON.stringify(answers.map(({ body }) => body));
  for (const secret of [plainKey, plainKey.slice(8, -4), keyHash.toString('hex'), keyHash.toString('base64')]) {
    t.false(text.includes(secret));
  }
  const rows = await app.provision.query<{ row: string }>(
    'select api_keys::text as row from api_keys where organization_id = $1',
    [org.organizationId],
  );
  t.false(rows.some(({ row }) => row.includes(plainKey.slice(8, -4))));
});

test('a key stops working when it expires and is no longer listed', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { id, plainKey, ...key } = (await create(owner, { expiresAt: expiresAt.replace('Z', '+00:00') })).body;
  t.is(key.expiresAt, expiresAt);
  t.is(await use(plainKey), 200);
  await app.provision.query('update api_keys set expires_at = now() where id = $1', [id]);
  t.is(await use(plainKey), 401);
  t.is((await list(owner)).total, 1);
  for (const past of [new Date(Date.now() - 1000).toISOString(), '1999-01-01T00:00:00Z']) {
    await isRejected(t, create(owner, { expiresAt: past }), 400, ['expiresAt: must be in the future']);
  }
});

test('keys are listed newest first, in pages, without those of other organizations', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  await create(await (await newOrganization(app)).session());
  const ids: string[] = [];
  for (const name of ['One', 'Two', 'Three']) ids.unshift((await create(owner, { name })).body.id);
  const first = await list(owner, { limit: 2 });
  const rest = await list(owner, { limit: 2, cursor: first.nextCursor ?? '' });
  t.deepEqual([first.total, rest.total, first.hasMore, rest.hasMore], [4, 4, true, false]);
  t.deepEqual(
    [...first.data, ...rest.data].map(({ id }) => id),
    [...ids, org.apiKeyId],
  );
});

test('owners and admins manage keys in a session; members and keys cannot', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  const member = await addMember(app.baseUrl, owner);
  const made = await create(admin.session);
  t.like(made.body, { createdByUserId: admin.id });
  t.is((await list(admin.session)).total, 2);
  t.is((await revoke(owner, made.body.id)).status, 204);

  const { id } = (await create(owner)).body;
  for (const [by, status] of [
    [member.session, 403],
    [org.api, 401],
  ] as const) {
    for (const answer of [await create(by), await by.call('apiKeys', 'list'), await revoke(by, id)]) {
      t.is(answer.status, status);
    }
  }
  const stranger = await (await newOrganization(app)).session();
  for (const unknown of [id, randomUUID()]) await isRejected(t, revoke(stranger, unknown), 404, 'API key not found.');
  t.is((await list(owner)).data[0]?.id, id);
});

test('a resource mode requires ids of its own kind that exist in the organization', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const other = await newOrganization(app);
  const [template, gone] = [await newTemplate(org.api), await newTemplate(org.api)];
  await must(org.api.call('templates', 'delete', { params: { id: gone } }));
  const folder = await newFolder(app, org.organizationId);
  const foreign = [await newTemplate(other.api), await newFolder(app, other.organizationId)] as const;

  const cases: [Partial<NewKey>, string[]][] = [
    [{ scopedTemplateIds: [template] }, [only('scopedTemplateIds', 'SELECTED_TEMPLATES')]],
    [
      { resourceMode: 'ALL', scopedTemplateIds: [template], scopedFolderIds: [folder] },
      [only('scopedTemplateIds', 'SELECTED_TEMPLATES'), only('scopedFolderIds', 'SELECTED_FOLDERS')],
    ],
    [{ resourceMode: 'SELECTED_TEMPLATES' }, [none('template', 'scopedTemplateIds', 'SELECTED_TEMPLATES')]],
    [
      { resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [], scopedTemplateIds: [template] },
      [only('scopedTemplateIds', 'SELECTED_TEMPLATES'), none('folder', 'scopedFolderIds', 'SELECTED_FOLDERS')],
    ],
    [
      { resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [foreign[0], template, gone, folder] },
      [0, 2, 3].map((index) => `scopedTemplateIds[${index}]: not a template of this organization; see GET /templates`),
    ],
    [
      { resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folder, foreign[1], template] },
      [1, 2].map((index) => `scopedFolderIds[${index}]: not a folder of this organization; see GET /folders`),
    ],
  ];
  for (const [settings, messages] of cases) await isRejected(t, create(owner, settings), 400, messages);
  t.is((await list(owner)).total, 1);
});

test('a restricted key has access to what it lists', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const folderId = await newFolder(app, org.organizationId);
  const [listed, inside, outside] = [
    await newTemplate(org.api),
    await newTemplate(org.api, { folderId }),
    await newTemplate(org.api),
  ];
  const keys: [Partial<NewKey>, string][] = [
    [{ resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [listed] }, listed],
    [{ resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folderId] }, inside],
  ];
  for (const [settings, granted] of keys) {
    const { plainKey, ...key } = (await create(owner, { scopes: [...scopes], ...settings })).body;
    t.like(key, settings);
    const api = apiOf(app.baseUrl, plainKey);
    for (const id of [listed, inside, outside]) {
      t.is((await api.call('templates', 'get', { params: { id } })).status, id === granted ? 200 : 403);
    }
  }
});

test('malformed requests are rejected with the problem of each field', async (t) => {
  const owner = await (await newOrganization(app)).session();
  const send = (body: object) => owner.raw('POST', '/api-keys', { body });
  await isRejected(t, send({ name: '', scopes: [] }), 400, [
    'name: must not be empty',
    'scopes: must contain at least one scope',
  ]);
  await isRejected(t, send({ name: 'x', scopes: ['runs:read', 'runs:read'] }), 400, [
    'scopes: must not contain a scope twice',
  ]);
  await isRejected(t, send({ name: 'x', scopes: ['everything'] }), 400, [
    `scopes[0]: must be one of ${scopes.join(', ')}`,
  ]);
  t.is((await send({ name: 'x', scopes: ['runs:read'], expiresAt: 'tomorrow' })).status, 400);
});

test('creating keys requires the BUSINESS plan; existing ones can be listed and revoked on any', async (t) => {
  for (const plan of ['FREE', 'PRO'] as const) {
    const org = await newOrganization(app, { plan });
    const owner = await org.session();
    const answer = await create(owner);
    t.is(answer.status, 402);
    t.like(answer.error, { code: 'FEATURE_LOCKED', capability: 'apiKeys', error: 'Payment Required' });
    t.is((await list(owner)).total, 1);
    t.is((await revoke(owner, org.apiKeyId)).status, 204);
    await org.setPlan('BUSINESS');
    t.is((await create(owner)).status, 201);
  }
});

test('an organization has at most 100 active keys, also under concurrent creations', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  await fillUp(org, 95);
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(owner)));
  t.is(answers.filter(({ status }) => status === 201).length, 4);
  t.is(answers.filter(({ status }) => status === 400).length, 8);
  await isRejected(t, create(owner), 400, 'The organization has 100 active API keys, the maximum; revoke one first.');
  t.is((await list(owner)).total, 100);
  t.is((await revoke(owner, org.apiKeyId)).status, 204);
  t.is((await create(owner)).status, 201);
});

const only = (field: string, mode: string) =>
  `${field}: allowed only with resourceMode ${mode}; set it, or omit ${field}`;
const none = (kind: string, field: string, mode: string) =>
  `${field}: must name at least one ${kind} with resourceMode ${mode}`;

async function fillUp({ key }: TestOrganization, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await key({ scopes: ['runs:read'] });
}

test('keys of a deactivated member are listed as REVOKED with the reason until the member is active again', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const admin = await addMember(app.baseUrl, owner, { role: 'ADMIN' });
  const { id } = (await create(admin.session)).body as { id: string };
  const listed = async () => {
    const { data, total } = await list(owner);
    return [total, ...data.map((key) => [key.id === id, key.status, key.revokedReason])];
  };
  const own = [false, 'ACTIVE', null];
  t.deepEqual(await listed(), [2, [true, 'ACTIVE', null], own]);
  await must(owner.call('users', 'delete', { params: { id: admin.id } }));
  t.deepEqual(await listed(), [2, [true, 'REVOKED', 'MEMBER_DEACTIVATED'], own]);
  await must(owner.call('users', 'update', { params: { id: admin.id }, body: { status: 'ACTIVE' } }));
  t.deepEqual(await listed(), [2, [true, 'ACTIVE', null], own]);
});
