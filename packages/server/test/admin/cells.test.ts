import { createDatabase } from '@runward/testing/database';
import test, { type ExecutionContext } from 'ava';
import type { Cell } from '../../src/database/cells/cell.ts';
import { adminIn } from '../support/admin.ts';
import { connectTo } from '../support/database/connect.ts';

/** The command on a new database, with its tables in `public`. */
async function adminOfNew(t: ExecutionContext, options = {}) {
  const { url, drop } = await createDatabase(options);
  t.teardown(drop);
  const { run } = adminIn({ DATABASE_URL: url });
  const list = async () => JSON.parse((await run(['cells', 'list', '--json'])).stdout) as Cell[];
  return { url, run, list };
}

test('cells are listed with their place, organizations, size and migrations', async (t) => {
  const { url, run, list } = await adminOfNew(t);
  const created = await run(['cells', 'create', 'second']);
  t.is(created.code, 0, created.stderr);
  t.is(created.stdout, 'The cell second was created. Start processes with DATABASE_SCHEMA=second to serve it.\n');
  const owner = ['--owner-email', 'ada@second.example'];
  const inSecond = adminIn({ DATABASE_URL: url, DATABASE_SCHEMA: 'second' });
  t.is((await inSecond.run(['organization', 'create', '--name', 'Second', ...owner])).code, 0);
  const cells = await list();
  t.like(cells, [
    { name: 'public', node: null, organizations: 0, pending: 0, problem: null },
    { name: 'second', node: null, organizations: 1, pending: 0, problem: null },
  ]);
  t.true(cells.every(({ bytes }) => bytes > 100_000));
  const { stdout } = await run(['cells', 'list']);
  t.regex(stdout, /^public {2}this database {2}0 organizations {2}\d+ MB {2}up to date\nsecond /);
});

test('a cell of another version is listed with what it lacks, or why it must not be served', async (t) => {
  const { url, run, list } = await adminOfNew(t);
  await run(['cells', 'create', 'behind']);
  await run(['cells', 'create', 'ahead']);
  const client = await connectTo(t, url);
  await client.query(
    'delete from behind.migrations where name = (select name from behind.migrations order by id desc limit 1)',
  );
  await client.query("insert into ahead.migrations (name) values ('9999-future')");
  const [ahead, behind] = await list();
  t.like(behind, { name: 'behind', pending: 1, problem: null });
  t.regex(ahead?.problem ?? '', /^the database is newer than this program/);
});

test('a cell that exists, or whose name is none of a schema, is not created', async (t) => {
  const { run, list } = await adminOfNew(t);
  const existing = await run(['cells', 'create', 'public']);
  t.is(existing.code, 1);
  t.regex(existing.stderr, /The cell public exists\. To apply migrations to it, .+ run migrate --up\./);
  const misnamed = await run(['cells', 'create', 'Cell-1']);
  t.is(misnamed.code, 2);
  t.regex(misnamed.stderr, /name: must be up to 63 lower-case letters/);
  t.is((await list()).length, 1);
});

test('a move without Citus is refused, and says what it would need', async (t) => {
  const { run } = await adminOfNew(t);
  const { code, stderr } = await run(['cells', 'move', 'public', '--to', 'db2:5432']);
  t.is(code, 1);
  t.regex(stderr, /cannot be moved, because .+ without the extension citus, .+ install Citus/);
});

test('an empty database has no cells', async (t) => {
  const { run, list } = await adminOfNew(t, { empty: true });
  t.deepEqual(await list(), []);
  t.is((await run(['cells', 'list'])).stdout, 'There is no cell. Create one with "cells create".\n');
});
