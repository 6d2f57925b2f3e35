import test, { type ExecutionContext } from 'ava';
import { readConfig } from '../../src/config.ts';
import { SchemaError } from '../../src/database/errors.ts';
import { ensureMigrated, migrate, migrationNames, pendingMigrations } from '../../src/database/migrate.ts';
import { inSchema } from '../../src/settings/database-schema.ts';
import { adminIn } from '../support/admin.ts';
import { connectToNew } from '../support/database/connect.ts';

async function emptyDatabase(t: ExecutionContext) {
  const { url, client } = await connectToNew(t, { empty: true });
  const tablesIn = async (schema: string) =>
    (await client.query('select from pg_tables where schemaname = $1', [schema])).rowCount;
  return { url, client, tablesIn };
}

test('two installations in two schemas of one database have their own organizations', async (t) => {
  const { url, tablesIn } = await emptyDatabase(t);
  const namesIn = async (schema: string) => {
    const { run } = adminIn({ DATABASE_URL: url, DATABASE_SCHEMA: schema });
    const owner = ['--owner-email', `ada@${schema}.example`];
    const created = await run(['organization', 'create', '--name', `Of ${schema}`, ...owner]);
    t.is(created.code, 0, created.stderr);
    const { stdout } = await run(['organization', 'list', '--json']);
    return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
  };
  t.deepEqual(await namesIn('first'), ['Of first']);
  t.deepEqual(await namesIn('second2'), ['Of second2']);
  t.is(await tablesIn('public'), 0);
  t.is(await tablesIn('first'), await tablesIn('second2'));
});

test('a schema that does not exist is reported as empty, and its tables are not created in another', async (t) => {
  const { url, client, tablesIn } = await emptyDatabase(t);
  await migrate(url);
  const before = await tablesIn('public');
  const missing = inSchema(url, 'missing');
  t.deepEqual(await pendingMigrations(missing), migrationNames);
  await t.throwsAsync(ensureMigrated(missing), { instanceOf: SchemaError });
  t.is((await client.query("select from pg_namespace where nspname = 'missing'")).rowCount, 0);
  t.deepEqual(await migrate(missing), migrationNames);
  t.deepEqual(await migrate(missing), []);
  t.is(await tablesIn('missing'), before);
  t.is(await tablesIn('public'), before);
});

test('a search path of the database user without a schema is reported with a remedy', async (t) => {
  const { url } = await emptyDatabase(t);
  const pathless = new URL(url);
  pathless.searchParams.set('options', '-c search_path=one,two');
  const error = await t.throwsAsync(migrate(pathless.href), { instanceOf: SchemaError });
  t.regex(
    error?.message ?? '',
    /\(one,\s*two\) names no schema that exists: create the schema, or set DATABASE_SCHEMA/,
  );
});

test('a name that is none of a schema is refused with the variable and what it may be', (t) => {
  for (const name of ['', 'Cell', '1st', 'pg_cell', 'a b', 'x;drop', 'a'.repeat(64)]) {
    const error = t.throws(() => readConfig({ DATABASE_SCHEMA: name }), undefined, name);
    t.regex(error?.message ?? '', /DATABASE_SCHEMA: must be the name of a schema in PostgreSQL/);
  }
});

test('a schema becomes the search path of a URL, whose other parts stay', (t) => {
  t.is(inSchema('postgres://a:b+c@host/name', 'public'), 'postgres://a:b+c@host/name');
  t.is(
    inSchema('postgres://a:b+c@localhost/name?host=/run/postgresql', 'cell'),
    'postgres://a:b+c@localhost/name?host=%2Frun%2Fpostgresql&options=-c%20search_path%3Dcell',
  );
  const { searchParams } = new URL(inSchema('postgres://host/name?options=-c%20jit%3Doff', 'cell'));
  t.is(searchParams.get('options'), '-c jit=off -c search_path=cell');
});
