import { randomBytes } from 'node:crypto';
import { apiOf } from '@runward/testing/api';
import { startApp } from '@runward/testing/app';
import { createDatabase } from '@runward/testing/database';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { Client } from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { adminIn } from '../support/admin.ts';
import { hashesOf } from '../support/database/two-cells.ts';
import { newWorld } from '../support/world/world.ts';

const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';

async function connect(stack: AsyncDisposableStack, connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  stack.defer(() => client.end());
  return client;
}

/** Another migrated database, which sorts texts differently, and writes times and bytes differently. */
async function otherDatabase(stack: AsyncDisposableStack): Promise<string> {
  const { url, drop } = await createDatabase({ empty: true });
  stack.defer(drop);
  const name = `other_${randomBytes(4).toString('hex')}`;
  const client = await connect(stack, url);
  await client.query(`create database ${name} template template0 locale_provider icu icu_locale 'en-US' locale 'C'`);
  stack.defer(async () => void (await client.query(`drop database ${name} with (force)`)));
  for (const setting of ['datestyle = "ISO, DMY"', 'intervalstyle = iso_8601', 'bytea_output = escape']) {
    await client.query(`alter database ${name} set ${setting}`);
  }
  const other = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await migrate(other);
  return other;
}

test('an organization moves to another database and back, with TARGET_DATABASE_URL', async (t) => {
  await using stack = new AsyncDisposableStack();
  const here = await createDatabase();
  stack.defer(here.drop);
  const there = await otherDatabase(stack);
  const first = await startApp(stack, { databaseUrl: here.url });
  const second = await startApp(stack, { databaseUrl: there });
  const receiver = stack.use(await startReceiver());
  const org = await newOrganization(first);
  const { organizationId: id } = org;
  await newWorld(first, org, receiver.url);
  const { templateId } = await publishProcess(org.api);
  const source = await connect(stack, here.url);
  // The two databases sort these keys differently.
  await source.query(
    `insert into searchable_fields (organization_id, template_id, source, type, name, status)
     select $1, $2, '$' || key, 'TEXT', key, 'READY' from unnest(array['a_1', 'A_2', 'b3', 'B4', '_c']) key`,
    [id, templateId],
  );
  const from = adminIn({ DATABASE_URL: here.url, TARGET_DATABASE_URL: there });

  const moved = await from.json(['organization', 'move', id, '--to-schema', 'public']);
  const { pathname } = new URL(there);
  t.true(moved['to']?.startsWith('public in ') && moved['to'].endsWith(pathname), moved['to']);
  const listed = await adminIn({ DATABASE_URL: here.url }).run(['organization', 'list']);
  t.true(listed.stdout.includes(`(moved to ${moved['to']})`), listed.stdout);
  t.is((await org.api.call('runs', 'launch', { body: { templateId } })).error.code, 'organization_moved');
  const api = apiOf(second.baseUrl, org.apiKey);
  const before = (await must(api.call('runs', 'list', { query: { limit: 1 } }))).total;
  await launchRun(api, templateId);

  const without = await adminIn({ DATABASE_URL: here.url }).run(['organization', 'move', id, '--remove-source']);
  t.is(without.code, 1);
  t.regex(
    without.stderr,
    /so its rows are kept\. It moved to public in .+; if that is in another database, set TARGET_DATABASE_URL\./,
  );
  await from.json(['organization', 'move', id, '--remove-source']);
  t.true(Object.values(await hashesOf(source, id)).every((hash) => hash.startsWith('0 rows')));

  const back = adminIn({ DATABASE_URL: there, TARGET_DATABASE_URL: here.url });
  await back.json(['organization', 'move', id, '--to-schema', 'public']);
  await launchRun(org.api, templateId);
  t.is((await must(org.api.call('runs', 'list', { query: { limit: 1 } }))).total, before + 2);
});

test('a target that cannot be reached, or that is another one, is named, and nothing is changed', async (t) => {
  await using stack = new AsyncDisposableStack();
  const here = await createDatabase();
  stack.defer(here.drop);
  const create = ['organization', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example'];
  const created = await adminIn({ DATABASE_URL: here.url }).json(create);
  const { run } = adminIn({ DATABASE_URL: here.url, TARGET_DATABASE_URL: nowhere });
  const move = ['organization', 'move', created['organizationId'] ?? ''];
  const end = await run([...move, '--to-schema', 'public']);
  t.is(end.code, 1);
  t.regex(end.stderr, /TARGET_DATABASE_URL: cannot connect: .+ECONNREFUSED/);
  const client = await connect(stack, here.url);
  t.is((await client.query('select from organization_moves')).rowCount, 0);

  await client.query(
    `insert into organization_moves (organization_id, other_schema, step, step_at)
     select id, 'public in db2.example.com:5432/runward', 'COPYING', now() from organizations`,
  );
  const aborted = await adminIn({ DATABASE_URL: here.url }).run([...move, '--abort']);
  t.is(aborted.code, 1);
  t.regex(aborted.stderr, /moves to public in db2\.example\.com:5432\/runward: set TARGET_DATABASE_URL as when/);
});
