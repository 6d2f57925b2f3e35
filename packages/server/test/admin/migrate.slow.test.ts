import { newDataFolder } from '@runward/testing/data-folder';
import { startService, startServiceFor } from '@runward/testing/service';
import test, { type ExecutionContext } from 'ava';
import { migrationNames } from '../../src/database/migrate.ts';
import { adminIn } from '../support/admin.ts';
import { connectToNew } from '../support/database/connect.ts';

const last = migrationNames.at(-1) ?? '';

async function connected(t: ExecutionContext) {
  const { url, client } = await connectToNew(t);
  const tables = async () => (await client.query(`select from pg_tables where schemaname = 'public'`)).rowCount;
  return { url, client, tables, ...adminIn({ DATABASE_URL: url }) };
}

test('migrate shows what an empty database lacks, changes nothing without --up, and applies all with it', async (t) => {
  const { client, tables, run } = await connected(t);
  await client.query('drop schema public cascade; create schema public');

  const plan = await run(['migrate', '--json']);
  t.is(plan.code, 0, plan.stderr);
  const { pending } = JSON.parse(plan.stdout) as { pending: { name: string; compatible: boolean }[] };
  t.deepEqual(
    pending.map(({ name }) => name),
    migrationNames,
  );
  t.regex((await run(['migrate'])).stdout, /^The database is empty\. To create its tables, run "runward-admin/);
  t.is(await tables(), 0);

  const applied = await run(['migrate', '--up', '--json']);
  t.is(applied.code, 0, applied.stderr);
  t.deepEqual(JSON.parse(applied.stdout), { applied: migrationNames });
  t.true(((await tables()) ?? 0) > 20);
  t.is((await run(['migrate'])).stdout, 'The database has all migrations.\n');
  t.is((await run(['migrate', '--up'])).stdout, 'The database had all migrations.\n');
  t.is((await run(['migrate', '--up', '--plan'])).code, 2);
});

test('migrate says whether processes of the version before may go on', async (t) => {
  const { client, run } = await connected(t);
  await client.query('delete from migrations where name = $1', [last]);
  const { stdout } = await run(['migrate', '--plan']);
  t.true(stdout.startsWith(last), stdout);
  t.regex(stdout, last.endsWith('-compatible') ? /processes of the version before may go on/ : /stop all processes/);
  t.regex(stdout, /\n1 to apply\. Back up, then run "runward-admin migrate --up"\.\n$/);
});

test('with MIGRATE_ON_START=false the service and the commands end with 78 until the database is migrated', async (t) => {
  const { url, client, tables, run } = await connected(t);
  await client.query('drop schema public cascade; create schema public');
  await using folder = await newDataFolder();
  const settings = { DATABASE_URL: url, MIGRATE_ON_START: 'false' };
  const lacking = new RegExp(
    `The database lacks ${migrationNames.length} migrations, the first of which is 0001-baseline: run \\\\?"runward-admin migrate --up`,
  );

  const refused = await startService(folder.path, settings);
  t.is(await refused.exited, 78, refused.log());
  t.regex(refused.log(), lacking);
  const command = await adminIn(settings).run(['organization', 'list']);
  t.is(command.code, 78);
  t.regex(command.stderr, lacking);
  t.is(await tables(), 0);

  t.is((await run(['migrate', '--up'])).code, 0);
  await startServiceFor(t, folder.path, settings);
  t.is((await adminIn(settings).run(['organization', 'list'])).code, 0);
});
