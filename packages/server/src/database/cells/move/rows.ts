import { escapeIdentifier as quote, type Client } from 'pg';
import type { Column, MovedTable } from './moved-tables.ts';

/** The values of the primary key of a row, as PostgreSQL's texts. */
export type Key = readonly string[];

/**
 * The rows of an organization in a table after one key, and up to another one. Null: from the first, or to the last.
 */
export interface Range {
  readonly after: Key | null;
  readonly upTo: Key | null;
}

/** What rows are compared by. */
export interface Summary {
  readonly count: number;
  /** MD5 of the rows in the order of their keys; null without rows. */
  readonly hash: string | null;
  /** The key of the last row; null without rows. */
  readonly last: Key | null;
}

/** A row by its key. */
export interface RowHash {
  readonly key: Key;
  readonly hash: string;
  readonly bytes: number;
}

/** Columns in an order that is the same in every database, whatever its collation. */
const ordered = (columns: readonly Column[]) =>
  columns.map(({ name, type }) => (type === 'text' ? `${quote(name)} collate "C"` : quote(name))).join(', ');

const list = (columns: readonly Column[], text = (name: string) => name) =>
  columns.map(({ name }) => text(quote(name))).join(', ');

/** The row as a text that is the same in every cell. The texts of times depend on the time zone of a connection. */
const rowOf = ({ columns }: MovedTable) =>
  `row(${columns
    .map(({ name, type }) => (type === 'timestamp with time zone' ? `${quote(name)} at time zone 'UTC'` : quote(name)))
    .join(', ')})::text`;

/** The rows of the organization `$1` in a range, as a condition and its further parameters. */
function within({ key, organization }: MovedTable, { after, upTo }: Range) {
  const values: string[] = [];
  const bound = (sign: string, given: Key | null) => {
    if (given === null) return '';
    const casts = key.map(({ type }, index) => `$${values.length + index + 2}::${type}`);
    values.push(...given);
    return ` and (${ordered(key)}) ${sign} (${casts.join(', ')})`;
  };
  return { sql: `${quote(organization)} = $1${bound('>', after)}${bound('<=', upTo)}`, values };
}

/** Summarizes the rows of an organization in a range, or the first `limit` of them. */
export async function summarize(
  client: Client,
  table: MovedTable,
  organizationId: string,
  range: Range,
  limit?: number,
): Promise<Summary> {
  const { sql, values } = within(table, range);
  const key = ordered(table.key);
  const { rows } = await client.query<Summary>(
    `select count(*)::int as count, md5(string_agg(hash, '' order by ${key})) as hash,
       json_agg(json_build_array(${list(table.key, (name) => `${name}::text`)}) order by ${key}) -> -1 as last
     from (select ${list(table.key)}, md5(${rowOf(table)}) as hash from ${quote(table.name)} where ${sql}
       order by ${key} limit ${limit ?? 'all'}) part`,
    [organizationId, ...values],
  );
  return rows[0] ?? { count: 0, hash: null, last: null };
}

/** Lists the rows of an organization in a range, in any order. */
export async function listRows(
  client: Client,
  table: MovedTable,
  organizationId: string,
  range: Range,
): Promise<RowHash[]> {
  const { sql, values } = within(table, range);
  const row = rowOf(table);
  const { rows } = await client.query<RowHash>(
    `select json_build_array(${list(table.key, (name) => `${name}::text`)}) as key, md5(${row}) as hash, length(${row}) as bytes
     from ${quote(table.name)} where ${sql}`,
    [organizationId, ...values],
  );
  return rows;
}

/** An array per column, which is how many rows become parameters of one statement. */
function byColumn(rows: readonly (readonly (string | null)[])[], columns: readonly Column[]) {
  return columns.map((_, index) => rows.map((row) => row[index] ?? null));
}

/** Rows with values of `columns`, given as parameters after `$first - 1`, as a part of a statement. */
function given(columns: readonly Column[], first: number) {
  const arrays = columns.map((_, index) => `$${first + index}::text[]`).join(', ');
  return `unnest(${arrays}) as given (${list(columns)})`;
}

/** The condition that a row has a given key. */
const hasGivenKey = ({ name, key }: MovedTable) =>
  key
    .map(({ name: column, type }) => `${quote(name)}.${quote(column)} = given.${quote(column)}::${type}`)
    .join(' and ');

/** Reads rows by their keys. The values are texts, in the order of the columns. Rows that are gone are left out. */
export async function readRows(
  client: Client,
  table: MovedTable,
  organizationId: string,
  keys: readonly Key[],
): Promise<(readonly (string | null)[])[]> {
  const own = `${quote(table.name)}.`;
  const { rows } = await client.query<(string | null)[]>({
    text: `select ${list(table.columns, (name) => `${own}${name}::text`)}
      from ${quote(table.name)} join ${given(table.key, 2)} on ${hasGivenKey(table)}
      where ${own}${quote(table.organization)} = $1`,
    values: [organizationId, ...byColumn(keys, table.key)],
    rowMode: 'array',
  });
  return rows;
}

/** Inserts rows, or changes those that exist. Their late columns are left out for now if `withoutLate`. */
export async function writeRows(
  client: Client,
  { name, columns, key, late }: MovedTable,
  rows: readonly (readonly (string | null)[])[],
  withoutLate: boolean,
): Promise<void> {
  const written = columns.filter((column) => !(withoutLate && late.includes(column.name)));
  const isKey = new Set(key.map((column) => column.name));
  const changes = written
    .filter((column) => !isKey.has(column.name))
    .map((column) => `${quote(column.name)} = excluded.${quote(column.name)}`);
  await client.query(
    `insert into ${quote(name)} (${list(written)})
     select ${written.map((column) => `given.${quote(column.name)}::${column.type}`).join(', ')} from ${given(columns, 1)}
     on conflict (${list(key)}) do ${changes.length === 0 ? 'nothing' : `update set ${changes.join(', ')}`}`,
    byColumn(rows, columns),
  );
}

/** Deletes rows by their keys. */
export async function deleteRows(
  client: Client,
  table: MovedTable,
  organizationId: string,
  keys: readonly Key[],
): Promise<void> {
  const name = quote(table.name);
  const values = [organizationId, ...byColumn(keys, table.key)];
  const where = `from ${given(table.key, 2)} where ${name}.${quote(table.organization)} = $1 and ${hasGivenKey(table)}`;
  const late = table.late.map((column) => `${quote(column)} = null`).join(', ');
  if (late !== '') await client.query(`update ${name} set ${late} ${where}`, values);
  await client.query(`delete from ${name} using ${where.slice('from '.length)}`, values);
}

/** Deletes all rows of an organization in a table, in batches. */
export async function deleteAllRows(client: Client, table: MovedTable, organizationId: string): Promise<void> {
  const [name, organization] = [quote(table.name), quote(table.organization)];
  let deleted: number | null;
  do {
    const result = await client.query(
      `delete from ${name} where ${organization} = $1 and ctid = any (array(
         select ctid from ${name} where ${organization} = $1 limit ${batchSize}))`,
      [organizationId],
    );
    deleted = result.rowCount;
  } while (deleted === batchSize);
}

const batchSize = 5_000;

/** Ends the references of late columns of an organization, so that its rows can be deleted. */
export async function endLateReferences(client: Client, table: MovedTable, organizationId: string): Promise<void> {
  for (const column of table.late.map(quote)) {
    await client.query(
      `update ${quote(table.name)} set ${column} = null where ${quote(table.organization)} = $1 and ${column} is not null`,
      [organizationId],
    );
  }
}
