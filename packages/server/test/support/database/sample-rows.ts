import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { foreignKeys, primaryKeys, type ForeignKey } from './schema.ts';

/** A row by column names. */
export type Row = Readonly<Record<string, unknown>>;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The first value that a check constraint lists for the column. */
  readonly listed: string | null;
}

/** SQL of any value of a type. */
const values: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  bytea: "convert_to(gen_random_uuid()::text, 'UTF8')",
  jsonb: `'{}'`,
  boolean: 'false',
  integer: '1',
  smallint: '0',
  bigint: '1',
  date: 'current_date',
  'timestamp with time zone': 'now()',
  'integer[]': `'{}'`,
  'text[]': `'{}'`,
  'uuid[]': `'{}'`,
};

/**
 * Inserts one row into every table of ours for a new organization, by table. What to insert is read from the catalog:
 * every foreign key, a nullable one too, refers to the row of its target.
 */
export async function insertSampleRows(client: Client): Promise<ReadonlyMap<string, Row>> {
  const keys = await foreignKeys(client);
  const columns = Map.groupBy(await readColumns(client), ({ table }) => table);
  const rows = new Map<string, Row>();
  const isRequired = (key: ForeignKey) =>
    columns.get(key.table)?.every(({ name, nullable }) => !nullable || !key.columns.includes(name)) ?? false;

  const organizationId = randomUUID();
  const missing = new Set((await primaryKeys(client)).keys());
  while (missing.size > 0) {
    const next = [...missing].find((table) =>
      keys.every((key) => key.table !== table || !isRequired(key) || rows.has(key.target)),
    );
    if (next === undefined) throw new Error(`Required foreign keys form a cycle: ${[...missing].join(', ')}.`);
    const required = keys.filter((key) => key.table === next && isRequired(key));
    const own = { [next === 'organizations' ? 'id' : 'organization_id']: organizationId };
    rows.set(next, await insertRow(client, next, columns.get(next) ?? [], { ...own, ...referencesOf(required, rows) }));
    missing.delete(next);
  }
  for (const [table, row] of rows) {
    const optional = keys.filter((key) => key.table === table && !isRequired(key));
    if (optional.length > 0) rows.set(table, await updateRow(client, table, row, referencesOf(optional, rows)));
  }
  return rows;
}

/** The columns of foreign keys with the values of the rows they are to refer to. */
export function referencesOf(keys: readonly ForeignKey[], rows: ReadonlyMap<string, Row>): Row {
  return Object.fromEntries(
    keys.flatMap(({ columns, target, targetColumns }) =>
      columns.map((column, index) => [column, rows.get(target)?.[targetColumns[index] ?? '']]),
    ),
  );
}

/** Updates a row, found by all columns of its primary key, and returns it. */
export async function updateRow(client: Client, table: string, row: Row, changes: Row): Promise<Row> {
  const key = (await primaryKeys(client)).get(table) ?? [];
  const names = Object.keys(changes);
  const { rows } = await client.query<Row>(
    `update ${table} set ${names.map((name, index) => `${name} = $${index + 1}`).join(', ')}
     where ${key.map((name, index) => `${name} = $${names.length + index + 1}`).join(' and ')} returning *`,
    [...Object.values(changes), ...key.map((name) => row[name])],
  );
  if (!rows[0]) throw new Error(`The row of ${table} is not there.`);
  return rows[0];
}

async function insertRow(client: Client, table: string, columns: readonly Column[], references: Row): Promise<Row> {
  const given = Object.entries(references);
  const others = columns.filter(({ name, nullable }) => !nullable && !(name in references));
  const sql = others.map(({ type, listed }) => {
    const value = listed === null ? values[type] : `'${listed}'`;
    if (value === undefined) throw new Error(`${table}: add a value of the type ${type} to this file.`);
    return value;
  });
  const { rows } = await client.query<Row>(
    `insert into ${table} (${[...given.map(([name]) => name), ...others.map(({ name }) => name)].join(', ')})
     values (${[...given.map((_, index) => `$${index + 1}`), ...sql].join(', ')}) returning *`,
    given.map(([, value]) => value),
  );
  return rows[0] ?? {};
}

async function readColumns(client: Client): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    select attrelid::regclass::text as table, attname as name, format_type(atttypid, atttypmod) as type,
      not attnotnull as nullable,
      (select substring(pg_get_constraintdef(oid) from '''(\\w+)''') from pg_constraint
        where conrelid = attrelid and contype = 'c' and conkey = array[attnum]) as listed
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped`);
  return rows;
}
