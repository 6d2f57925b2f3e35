import test from 'ava';
import { DatabaseError } from 'pg';
import { connectToNew } from '../support/database/connect.ts';
import { insertSampleRows, referencesOf, updateRow, type Row } from '../support/database/sample-rows.ts';
import { catalogOf, declaredForeignKeys, foreignKeys, primaryKeys, schemaSql } from '../support/database/schema.ts';

const foreignKeyViolation = '23503';

/** Tables without foreign keys: their rows are written together with what they belong to (decision 0104). */
const unchecked = [
  'activity',
  'entries',
  'entry_completion_keys',
  'events',
  'field_values',
  'run_counter_changes',
  'webhook_deliveries',
];

test('the migrated database has exactly the schema of the entities', async (t) => {
  const { url } = await connectToNew(t);
  const { create, update } = await schemaSql(url);
  t.is(update, '', 'add this to a migration');

  // The comparison above skips index expressions and simplifies predicates; PostgreSQL prints both in full.
  const declared = await connectToNew(t, { empty: true });
  await declared.client.query(`create extension pg_trgm; ${create}`);
  const catalog = await catalogOf(url);
  t.true(catalog.length > 200, `${catalog.length} columns, constraints and indexes`);
  t.deepEqual(catalog, await catalogOf(declared.url));
});

test('every table but those that are written with a run has foreign keys', async (t) => {
  const { client } = await connectToNew(t);
  const checked = new Set((await foreignKeys(client)).map(({ table }) => table));
  const tables = [...(await primaryKeys(client)).keys()];
  t.deepEqual(
    tables.filter((table) => !checked.has(table)),
    [...unchecked, 'organizations'].toSorted(),
  );
});

test('the primary key of every table begins with the organization', async (t) => {
  const { client } = await connectToNew(t);
  for (const [table, columns] of await primaryKeys(client)) {
    t.is(columns[0], table === 'organizations' ? 'id' : 'organization_id', table);
  }
});

test('every foreign key contains the organization', async (t) => {
  const { client } = await connectToNew(t);
  const keys = await foreignKeys(client);
  t.is(keys.length, declaredForeignKeys().length);
  for (const { name, columns, target, targetColumns } of keys) {
    t.is(columns[0], 'organization_id', name);
    t.is(targetColumns[0], target === 'organizations' ? 'id' : 'organization_id', name);
    t.is(columns.length === 1, target === 'organizations', name);
  }
});

test('the database rejects a row that references a row of another organization, for every foreign key', async (t) => {
  const { client } = await connectToNew(t);
  const [own, other] = [await insertSampleRows(client), await insertSampleRows(client)];
  const keys = (await foreignKeys(client)).filter(({ target }) => target !== 'organizations');
  t.true(keys.length >= 20, `${keys.length} foreign keys between rows of an organization`);
  for (const key of keys) {
    const row = own.get(key.table) ?? {};
    const to = (rows: ReadonlyMap<string, Row>) => {
      const { organization_id: _, ...columns } = referencesOf([key], rows);
      return updateRow(client, key.table, row, columns);
    };
    // The same update is accepted within the organization, so that nothing but the organization is wrong with the
    // other.
    await t.notThrowsAsync(to(own), key.name);
    const error = await t.throwsAsync(to(other), { instanceOf: DatabaseError }, key.name);
    t.like(error, { code: foreignKeyViolation, constraint: key.name });
  }
});

test('the database rejects a row of an organization that does not exist', async (t) => {
  const { client } = await connectToNew(t);
  const rows = await insertSampleRows(client);
  for (const [table, row] of rows) {
    if (table === 'organizations' || unchecked.includes(table)) continue;
    const moved = updateRow(client, table, row, { organization_id: '00000000-0000-7000-8000-000000000000' });
    t.like(await t.throwsAsync(moved, { instanceOf: DatabaseError }, table), { code: foreignKeyViolation });
  }
});
