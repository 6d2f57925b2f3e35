import type { Writes } from './rows.ts';
import { parameterOf, recordOf, type Column, type Table } from './table.ts';

/** Adds a value to the parameters of a statement and returns its placeholder, like `$7`. */
export type Parameter = (value: unknown) => string;

/** SQL of a part of a statement, with the name by which later parts refer to it. */
export interface Part {
  readonly name: string;
  readonly sql: string;
}

/** The `with` clause of a statement with these parts. */
export function withParts(parts: readonly (Part | string)[]): string {
  const named = parts.map((part, index) =>
    typeof part === 'string' ? `part_${index} as (${part})` : `${part.name} as (${part.sql})`,
  );
  return `with ${named.join(', ')}`;
}

/**
 * SQL that inserts rows if `saved` is not empty; no SQL if there are no rows. All rows must have the same columns. The
 * other columns get their defaults.
 */
export function insert<Row>($: Parameter, table: Table<Row>, rows: readonly Partial<Row>[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const columns = table.columns.filter(({ property }) => property in first);
  return [
    `insert into ${table.name} (${namesOf(columns)})
    select ${valuesOf(columns)} from ${recordset($, table, rows, columns)} new where exists (select from saved)`,
  ];
}

/** SQL that inserts and updates rows of runs in `saved`. */
export function write<Row>($: Parameter, table: Table<Row>, rows: Writes<Row>): string[] {
  return [...insert($, table, rows.insert ?? []), ...update($, table, rows.update ?? [])];
}

function update<Row>($: Parameter, table: Table<Row>, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const isSame = table.columns.filter(({ isKey }) => isKey).map(({ name }) => `old.${name} = new.${name}`);
  // By their runs, the rows are found with an index. By the keys of the records, which are planned as a hundred rows,
  // they might not be. Of a single record, PostgreSQL knows the run, so that it does not read all rows of the
  // organization as long as it has no statistics.
  return [
    `update ${table.name} old set ${assignments(table)} from saved, ${recordset($, table, rows)} new
    where old.organization_id = saved.organization_id and old.run_id = saved.id and new.run_id = saved.id
      and ${isSame.join(' and ')}`,
  ];
}

/** SQL that assigns all columns of a record `new` except those of the primary key. */
export function assignments<Row>({ columns }: Table<Row>): string {
  return columns
    .filter(({ isKey }) => !isKey)
    .map((column) => `${column.name} = ${valueOf(column)}`)
    .join(', ');
}

/** The names of columns as a list. */
export function namesOf<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** The values of columns in a record `new` as a list. */
export function valuesOf<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(valueOf).join(', ');
}

/** A JSON null in a record becomes an SQL null, but a required JSON column must contain a JSON null. */
function valueOf<Row>({ name, isRequiredJson }: Column<Row>): string {
  return isRequiredJson ? `coalesce(new.${name}, 'null')` : `new.${name}`;
}

/**
 * SQL for rows as a set of records with these columns of their table. PostgreSQL takes the values of a single row from
 * parameters in half the time that it needs to parse a JSON object. Of several rows, the first is given completely, and
 * of the others only what differs from it, so that less is parsed.
 */
export function recordset<Row>(
  $: Parameter,
  table: Table<Row>,
  rows: readonly Partial<Row>[],
  columns: readonly Column<Row>[] = table.columns,
): string {
  const [first = {}, ...others] = rows;
  if (others.length === 0) {
    const values = columns.map((column) => `${$(parameterOf(column, first))}::${column.type} as ${column.name}`);
    return `(select ${values.join(', ')})`;
  }
  const base = `json_populate_record(null::${table.name}, ${$(JSON.stringify(recordOf(table, first)))})`;
  const records = rows.map((row) => recordOf(table, row, first));
  return `json_populate_recordset(${base}, ${$(JSON.stringify(records))})`;
}
