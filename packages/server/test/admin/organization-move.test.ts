import test, { type ExecutionContext } from 'ava';
import { adminIn } from '../support/admin.ts';
import { newCells } from '../support/database/two-cells.ts';

const unknownId = '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f';

/** Two cells, an organization of the first one, and the command there. */
async function withOrganization(t: ExecutionContext) {
  const stack = new AsyncDisposableStack();
  t.teardown(() => stack.disposeAsync());
  const cells = await newCells(stack);
  const { run, json } = adminIn({ DATABASE_URL: cells.first.url });
  const created = await json(['organization', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example']);
  const id = created['organizationId'] ?? '';
  const fails = async (code: number, message: RegExp, ...args: string[]) => {
    const end = await run(['organization', 'move', ...args]);
    t.is(end.code, code, end.stderr);
    t.regex(end.stderr, message);
  };
  return { ...cells, id, fails };
}

test('a move to a cell that cannot take the organization is refused with what to do', async (t) => {
  const { first, second, id, fails } = await withOrganization(t);
  await fails(1, /--to-schema: there is no cell nowhere\. See "cells list"\./, id, '--to-schema', 'nowhere');
  await fails(
    1,
    new RegExp(`--to-schema: the organization is in ${first.name} already`),
    id,
    '--to-schema',
    first.name,
  );
  await fails(1, /has no organization .+; see "organization list"/, unknownId, '--to-schema', second.name);
  await second.client.query(
    'delete from migrations where name = (select name from migrations order by id desc limit 1)',
  );
  await fails(1, /lacks 1 migration: run migrate --up with DATABASE_SCHEMA=cell_/, id, '--to-schema', second.name);
  await second.client.query("insert into migrations (name) values ('9999-future')");
  await fails(78, /The cell cell_\w+ cannot be used, because the database is newer/, id, '--to-schema', second.name);
  t.is((await first.client.query('select from organization_moves')).rowCount, 0);
});

test('a command line that does not say what to do, or two things, is a usage error', async (t) => {
  const { second, id, fails } = await withOrganization(t);
  await fails(2, /Name what to do: --to-schema CELL, --abort or --remove-source\./, id);
  await fails(2, /id: must be the id of an organization/, 'Acme', '--abort');
  await fails(2, /cannot be used with option/, id, '--to-schema', second.name, '--abort');
});

test('an organization that is not being moved has no move to end and no rows to remove', async (t) => {
  const { id, fails } = await withOrganization(t);
  await fails(1, /The organization is not being moved\./, id, '--abort');
  await fails(1, /The organization has not moved from this cell\./, id, '--remove-source');
});
