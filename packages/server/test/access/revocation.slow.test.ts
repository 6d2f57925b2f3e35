import { effectOf, scopes } from '@runward/contract';
import { apiOf, type Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import type { Em } from '../../src/database/database.ts';
import { hashApiKey } from '../../src/organization/api-key-token.ts';
import { findApiKeys } from '../../src/organization/queries/find-api-keys.ts';
import { fingerprints } from '../support/database/rows.ts';
import { recordStatements } from '../support/database/statements.ts';
import { callOf, examplesOf, prepare, send } from '../support/sweep/calls.ts';
import { guardedEndpoints, isSessionOnly } from '../support/sweep/endpoints.ts';
import { newWorld } from '../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });

/** Uses the key, as it has been used before it is revoked. */
async function warm(api: Api): Promise<void> {
  await must(api.raw('GET', '/runs?limit=1'));
}

test.serial('a key that was just revoked is rejected by every endpoint, and nothing changes', async (t) => {
  await using receiver = await startReceiver();
  const org = await newOrganization(app);
  const world = await newWorld(app, org, receiver.url);
  const plainKey = await org.plainKey({ scopes });
  const api = apiOf(app.baseUrl, plainKey);
  const calls: (() => Promise<void>)[] = [];
  const setRevoked = async (value: string) =>
    app.provision.query(`update api_keys set revoked_at = ${value} where key_hash = $1`, [hashApiKey(plainKey)]);
  for (const each of guardedEndpoints.filter(({ endpoint }) => !isSessionOnly(endpoint))) {
    for (const example of examplesOf(each)) {
      const call = callOf(each, example, await prepare(example, world), world);
      const writes = effectOf(each.endpoint) === 'write';
      for (const headers of writes ? [{}, { 'idempotency-key': each.name }] : [{}]) {
        calls.push(async () => {
          await setRevoked('null');
          await warm(api);
          await setRevoked('now()');
          const { status } = await send(api, each, call, headers);
          t.is(status, 401, each.name);
        });
      }
    }
  }
  const before = await fingerprints(app.database);
  for (const call of calls) await call();
  await setRevoked('null');
  t.deepEqual(await fingerprints(app.database), before);
  t.true(calls.length > 200, String(calls.length));
});

test.serial('a request sends one statement for its key, and one for what it reads', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { id } = await launchRun(api, templateId);
  await warm(api);
  const statements = async (path: string) => {
    const recorded = recordStatements();
    await must(api.raw('GET', path));
    recorded.stop();
    return recorded.texts().filter((text) => text.includes('$1')).length;
  };
  t.is(await statements('/runs?limit=50'), 2);
  t.is(await statements(`/runs/${id}`), 2);
  t.is(await statements(`/runs/${id}?include=fieldValues`), 2);
});

test.serial('a change of what a key may do holds for the next request', async (t) => {
  const org = await newOrganization(app);
  const [one, two] = [await publishProcess(org.api), await publishProcess(org.api)];
  const runs = [await launchRun(org.api, one.templateId), await launchRun(org.api, two.templateId)];
  const plainKey = await org.plainKey({ scopes });
  const hash = hashApiKey(plainKey);
  const api = apiOf(app.baseUrl, plainKey);
  const total = async () => (await must(api.call('runs', 'list', { query: {} }))).total;
  const launched = async () => (await api.call('runs', 'launch', { body: { templateId: one.templateId } })).status;
  const read = async () => (await api.raw('GET', `/runs/${runs[0]?.id}`)).status;

  const changes: [table: string, change: string, undo: string, reading: number, launching: number][] = [
    ['api_keys', 'revoked_at = now()', 'revoked_at = null', 401, 401],
    ['api_keys', 'expires_at = now()', 'expires_at = null', 401, 401],
    ['api_keys', `scopes = '{runs:read}'`, `scopes = '{${scopes.join(',')}}'`, 200, 403],
    [
      'api_keys',
      `resource_mode = 'SELECTED_TEMPLATES', scoped_template_ids = '{${two.templateId}}'`,
      `resource_mode = 'ALL', scoped_template_ids = '{}'`,
      403,
      403,
    ],
    ['users', `status = 'DEACTIVATED'`, `status = 'ACTIVE'`, 401, 401],
    ['organizations', `plan = 'FREE'`, `plan = 'ENTERPRISE'`, 402, 402],
  ];
  const ids = {
    api_keys: ['key_hash', hash],
    users: ['id', org.ownerUserId],
    organizations: ['id', org.organizationId],
  };
  const set = async (table: string, assignments: string) => {
    const [column, id] = ids[table as keyof typeof ids];
    await app.provision.query(`update ${table} set ${assignments} where ${String(column)} = $1`, [id]);
  };
  for (const [table, change, undo, reading, launching] of changes) {
    await warm(api);
    await set(table, change);
    t.is(await read(), reading, change);
    await set(table, undo);
    await warm(api);
    await set(table, change);
    t.is(await launched(), launching, change);
    await set(table, undo);
    t.is(await read(), 200, undo);
  }

  t.is(await total(), 2);
  await set('api_keys', `resource_mode = 'SELECTED_TEMPLATES', scoped_template_ids = '{${two.templateId}}'`);
  t.is(await total(), 1);
  await launchRun(org.api, two.templateId);
  await set('api_keys', `scoped_template_ids = '{${one.templateId}}'`);
  t.deepEqual(await Promise.all([read(), launched()]), [200, 201]);
  t.is(await total(), 2);
});

test.serial('a look-up finds every change of what decides what a key may do', async (t) => {
  const org = await newOrganization(app);
  const hash = hashApiKey(org.apiKey);
  const hex = hash.toString('hex');
  const textIn = async (em: Em) => JSON.stringify((await findApiKeys(em, [hex])).get(hex));
  const columns = {
    api_keys: {
      scopes: `'{runs:read}'`,
      resource_mode: `'SELECTED_FOLDERS'`,
      scoped_template_ids: `'{${org.organizationId}}'`,
      scoped_folder_ids: `'{${org.organizationId}}'`,
      created_by_user_id: `'${(await org.member('Ada')).id}'`,
      expires_at: 'now()',
      revoked_at: 'now()',
    },
    users: { role: `'MEMBER'`, status: `'DEACTIVATED'` },
    organizations: { plan: `'PRO'`, time_zone: `'Asia/Tokyo'` },
  };
  const [row] = await app.provision.query<Record<string, unknown>>('select * from api_keys where key_hash = $1', [
    hash,
  ]);
  const untold = ['organization_id', 'id', 'name', 'key_hash', 'key_suffix', 'last_used_at', 'created_at'];
  t.deepEqual(Object.keys(row ?? {}).toSorted(), [...Object.keys(columns.api_keys), ...untold].toSorted());
  const rowOf = {
    api_keys: 'key_hash = $1',
    users: `id = '${org.ownerUserId}'`,
    organizations: `id = '${org.organizationId}'`,
  };
  for (const [table, values] of Object.entries(columns)) {
    for (const [column, value] of Object.entries(values)) {
      const before = await textIn(app.database.em.fork());
      const em = app.database.em.fork();
      await em.begin();
      const where = rowOf[table as keyof typeof rowOf].replace('$1', `'\\x${hash.toString('hex')}'`);
      await em.execute(`update ${table} set ${column} = ${value} where ${where}`);
      const after = await textIn(em);
      await em.rollback();
      t.not(after, before, `${table}.${column}`);
    }
  }
});
