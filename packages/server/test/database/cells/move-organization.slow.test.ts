import test, { type ExecutionContext } from 'ava';
import { abortMove, removeSource } from '../../../src/database/cells/move/end-move.ts';
import { moveOrganization } from '../../../src/database/cells/move/move-organization.ts';
import { MoveError, readState } from '../../../src/database/cells/move/move-state.ts';
import { movedTables } from '../../../src/database/cells/move/moved-tables.ts';
import { entities } from '../../../src/database/entities.ts';
import { insertSampleRows } from '../../support/database/sample-rows.ts';
import { hashesOf, newCells } from '../../support/database/two-cells.ts';

/** Two cells; the first one has two organizations with a row in every table. */
async function withTwoOrganizations(t: ExecutionContext) {
  const stack = new AsyncDisposableStack();
  t.teardown(() => stack.disposeAsync());
  const cells = await newCells(stack);
  const { client } = cells.first;
  const [own, other] = [await insertSampleRows(client), await insertSampleRows(client)];
  await client.query('delete from organization_moves');
  // Nothing may be left to jobs, because none run here.
  await client.query('update webhooks set leased_until = null');
  const organizationId = String(own.get('organizations')?.['id']);
  return { ...cells, own, other, organizationId, otherId: String(other.get('organizations')?.['id']) };
}

const everyTable = entities.map(({ meta }) => meta.tableName).filter((name) => name !== 'organization_moves');

test('the tables that move are those of the entities, each after the tables that it needs', async (t) => {
  await using stack = new AsyncDisposableStack();
  const { first } = await newCells(stack);
  const tables = await movedTables(first.client);
  t.deepEqual(tables.map(({ name }) => name).toSorted(), everyTable.toSorted());
  t.deepEqual(
    tables.filter(({ late }) => late.length > 0).map(({ name }) => name),
    ['templates'],
  );
});

test('an organization moves with the rows of every table, and others do not change', async (t) => {
  const { first, second, move, organizationId } = await withTwoOrganizations(t);
  const before = await hashesOf(first.client, organizationId);
  const others = await hashesOf(first.client, organizationId, 'others');
  const { rows } = await moveOrganization(move(organizationId));
  t.is(rows, everyTable.length);
  t.deepEqual(await hashesOf(second.client, organizationId), before);
  t.deepEqual(await hashesOf(first.client, organizationId), before);
  t.deepEqual(await hashesOf(first.client, organizationId, 'others'), others);
  t.like(await readState(first.client, organizationId), { step: 'MOVED', other: second.name });
  t.is(await readState(second.client, organizationId), null);

  await removeSource(first.client, second.client, organizationId);
  t.true(Object.values(await hashesOf(first.client, organizationId)).every((hash) => hash.startsWith('0 rows')));
  t.deepEqual(await hashesOf(first.client, organizationId, 'others'), others);
  t.is(await readState(first.client, organizationId), null);
});

test('an organization moves back with its changes, though its old rows are still there', async (t) => {
  const { first, second, move, organizationId } = await withTwoOrganizations(t);
  await moveOrganization(move(organizationId));
  await second.client.query(`update users set name = 'Renamed'`);
  await second.client.query('delete from sessions');
  const changed = await hashesOf(second.client, organizationId);
  await moveOrganization(move(organizationId, 'back'));
  t.deepEqual(await hashesOf(first.client, organizationId), changed);
  t.like(await readState(second.client, organizationId), { step: 'MOVED', other: first.name });
  t.is(await readState(first.client, organizationId), null);
});

test('rows that change, appear, disappear or exchange references during a move are copied', async (t) => {
  const { first, second, move, organizationId } = await withTwoOrganizations(t);
  const changes = [
    `update users set email = 'new-' || email where organization_id = $1`,
    `insert into groups (organization_id, id, name, created_at) select organization_id, gen_random_uuid(), name, now()
     from groups where organization_id = $1`,
    `delete from sessions where organization_id = $1`,
    `update templates set published_version_id = null where organization_id = $1`,
    `delete from activity where organization_id = $1`,
  ];
  let passes = 0;
  await moveOrganization({
    ...move(organizationId),
    report: (text) => {
      // While the writes are not stopped, a change happens in each pass.
      if (!text.includes(': organizations') || text.startsWith('writes')) return;
      const change = changes[passes];
      passes += 1;
      if (change !== undefined) void first.client.query(change, [organizationId]);
    },
  });
  t.true(passes >= 2);
  t.deepEqual(await hashesOf(second.client, organizationId), await hashesOf(first.client, organizationId));
});

test('a value that another organization of the cell has is named, and nothing is changed', async (t) => {
  const { first, second, move, organizationId, own } = await withTwoOrganizations(t);
  const email = String(own.get('users')?.['email']);
  await insertSampleRows(second.client);
  await second.client.query('delete from organization_moves');
  await second.client.query('update users set email = $1', [email]);
  await second.client.query('update sessions set token_hash = $1', [own.get('sessions')?.['token_hash']]);
  const before = await hashesOf(second.client, organizationId, 'others');
  const error = await t.throwsAsync(moveOrganization(move(organizationId)), { instanceOf: MoveError });
  t.regex(error?.message ?? '', new RegExp(`the email "${email}" of users of the organization [0-9a-f-]{36}`));
  t.regex(error?.message ?? '', /the token_hash of a row of sessions of the organization/);
  t.notRegex(error?.message ?? '', /\\x/);
  t.is(await readState(first.client, organizationId), null);
  t.deepEqual(await hashesOf(second.client, organizationId, 'others'), before);
  t.true(Object.values(await hashesOf(second.client, organizationId)).every((hash) => hash.startsWith('0 rows')));
});

test('a value that another organization gets during the move ends it, and the organization goes on', async (t) => {
  const { first, second, move, organizationId, own } = await withTwoOrganizations(t);
  const rows = await insertSampleRows(second.client);
  await second.client.query('delete from organization_moves');
  const email = String(own.get('users')?.['email']);
  let isTaken = false;
  const taking = moveOrganization({
    ...move(organizationId),
    report: (text) => {
      if (isTaken || !text.includes(': organizations')) return;
      isTaken = true;
      void second.client.query('update users set email = $1 where organization_id <> $2', [email, organizationId]);
    },
  });
  const error = await t.throwsAsync(taking, { instanceOf: MoveError });
  t.true(error?.message.includes(email));
  t.like(await readState(first.client, organizationId), { step: 'COPYING' });
  await second.client.query(`update users set email = 'free' where organization_id = $1`, [
    rows.get('organizations')?.['id'],
  ]);
  await moveOrganization(move(organizationId));
  t.deepEqual(await hashesOf(second.client, organizationId), await hashesOf(first.client, organizationId));
});

test('a move that is ended before its switch leaves nothing, and can begin again', async (t) => {
  const { first, second, move, organizationId } = await withTwoOrganizations(t);
  const before = await hashesOf(first.client, organizationId);
  const interrupted = moveOrganization({
    ...move(organizationId),
    report: (text) => {
      if (text.startsWith('waiting')) throw new Error('interrupted');
    },
  });
  await t.throwsAsync(interrupted, { message: 'interrupted' });
  t.like(await readState(first.client, organizationId), { step: 'DRAINING' });
  t.like(await readState(second.client, organizationId), { step: 'ARRIVING', other: first.name });

  await first.client.query('select pg_advisory_unlock_all()');
  await second.client.query('select pg_advisory_unlock_all()');
  await abortMove(move(organizationId));
  t.is(await readState(first.client, organizationId), null);
  t.true(Object.values(await hashesOf(second.client, organizationId)).every((hash) => hash.startsWith('0 rows')));
  t.deepEqual(await hashesOf(first.client, organizationId), before);
  await moveOrganization(move(organizationId));
  t.deepEqual(await hashesOf(second.client, organizationId), before);
  await t.throwsAsync(abortMove(move(organizationId)), { message: /cannot be ended .+ move the organization back/ });
});

test('rows are not deleted where the organization has not moved from', async (t) => {
  await using stack = new AsyncDisposableStack();
  const { first, second, move } = await newCells(stack);
  const id = '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f';
  await t.throwsAsync(removeSource(first.client, second.client, id), {
    message: 'The organization has not moved from this cell.',
  });
  await t.throwsAsync(abortMove(move(id)), { message: 'The organization is not being moved.' });
});
