import type { Client } from 'pg';

/** A table with rows of organizations, as the catalog describes it. */
export interface MovedTable {
  readonly name: string;
  /** The stored columns with their types, in their order. */
  readonly columns: readonly Column[];
  /** The columns of the primary key, which begins with the organization. */
  readonly key: readonly Column[];
  /** The column with the id of the organization. */
  readonly organization: string;
  /** Columns that refer to rows of later tables, because tables refer to each other in a circle. They can be null. */
  readonly late: readonly string[];
  /** The columns of unique constraints over all organizations, apart from the primary key. */
  readonly uniques: readonly (readonly Column[])[];
}

/** A column, with the name of its type in SQL. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** The state of moves, which is another one in each cell. */
const notMoved = 'organization_moves';

interface CatalogTable {
  readonly name: string;
  readonly columns: readonly (Column & { readonly nullable: boolean })[];
  readonly key: readonly string[];
  readonly uniques: readonly (readonly string[])[];
  readonly references: readonly { readonly target: string; readonly columns: readonly string[] }[];
}

const namesOf = (numbers: string, relation: string) => `
  (select json_agg(attname order by place) from unnest(${numbers}) with ordinality as part (number, place)
    join pg_attribute on attrelid = ${relation} and attnum = number)`;

const catalog = `
  select relname as name,
    (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod), 'nullable', not attnotnull)
        order by attnum)
      from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    (select ${namesOf('indkey::int2[]', 'indrelid')} from pg_index where indrelid = pg_class.oid and indisprimary) as key,
    (select coalesce(json_agg(${namesOf('indkey::int2[]', 'indrelid')}), '[]') from pg_index
      where indrelid = pg_class.oid and indisunique and not indisprimary and indpred is null and indexprs is null) as uniques,
    (select coalesce(json_agg(json_build_object('target', (select relname from pg_class where oid = confrelid),
        'columns', ${namesOf('conkey', 'conrelid')})), '[]')
      from pg_constraint where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as "references"
  from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> '${notMoved}'
    and (relname = 'organizations' or exists (
      select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id' and not attisdropped))
  order by relname`;

/**
 * The tables whose rows belong to organizations, in an order in which their rows can be inserted: each after the tables
 * that it refers to, except in its late columns.
 */
export async function movedTables(client: Client): Promise<MovedTable[]> {
  const { rows } = await client.query<CatalogTable>(catalog);
  const ordered: MovedTable[] = [];
  const placed = new Set<string>();
  const missing = new Map(rows.map((table) => [table.name, table]));
  const lateOf = ({ references, columns }: CatalogTable) => {
    const nullable = new Set(columns.filter((column) => column.nullable).map(({ name }) => name));
    const open = references.filter(({ target }) => !placed.has(target));
    const late = open.map((reference) => reference.columns.filter((name) => nullable.has(name)));
    // Null if a reference of every row would be broken.
    return late.some((names) => names.length === 0) ? null : late.flat();
  };
  while (missing.size > 0) {
    const possible = [...missing.values()].flatMap((table) => {
      const late = lateOf(table);
      return late ? [{ table, late }] : [];
    });
    // In a circle, the table that most others wait for comes first.
    const waiting = ({ name }: CatalogTable) =>
      [...missing.values()].filter(({ references }) => references.some(({ target }) => target === name)).length;
    const next =
      possible.find(({ late }) => late.length === 0) ??
      possible.toSorted((one, other) => waiting(other.table) - waiting(one.table))[0];
    if (!next) throw new Error(`Required references form a circle: ${[...missing.keys()].join(', ')}.`);
    ordered.push(describe(next.table, next.late));
    placed.add(next.table.name);
    missing.delete(next.table.name);
  }
  return ordered;
}

function describe({ name, columns, key, uniques }: CatalogTable, late: readonly string[]): MovedTable {
  const organization = name === 'organizations' ? 'id' : 'organization_id';
  const typed = (names: readonly string[]) =>
    names.flatMap((each) => columns.find((column) => column.name === each) ?? []);
  return {
    name,
    columns,
    key: typed(key),
    organization,
    late,
    uniques: uniques.filter((names) => !names.includes(organization)).map(typed),
  };
}
