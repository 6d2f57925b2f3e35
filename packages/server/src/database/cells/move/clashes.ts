import { escapeIdentifier as quote, type Client } from 'pg';
import type { Column, MovedTable } from './moved-tables.ts';
import type { TwoCells } from './reconcile.ts';

const pageSize = 5_000;

/**
 * What an organization has that must be unique in a cell, and that another organization of the target has already: a
 * text for each, with its table. Hashes of tokens are not named, only the rows that have them.
 */
export async function clashesOf(
  { source, target }: TwoCells,
  tables: readonly MovedTable[],
  organizationId: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const table of tables) {
    for (const unique of table.uniques) {
      for await (const page of valuesOf(source, table, unique, organizationId)) {
        found.push(...(await takenIn(target, table, unique, organizationId, page)));
      }
    }
  }
  return found;
}

type Values = readonly (string | null)[];

async function* valuesOf(
  client: Client,
  table: MovedTable,
  unique: readonly Column[],
  organizationId: string,
): AsyncGenerator<Values[]> {
  const columns = unique.map(({ name }) => quote(name)).join(', ');
  const texts = unique.map(({ name }) => `${quote(name)}::text`).join(', ');
  let after: Values | null = null;
  for (;;) {
    const bound: string =
      after === null
        ? ''
        : `and (${columns}) > (${unique.map(({ type }, index) => `$${index + 2}::${type}`).join(', ')})`;
    const { rows }: { rows: Values[] } = await client.query({
      text: `select ${texts} from ${quote(table.name)} where ${quote(table.organization)} = $1 ${bound}
        order by ${columns} limit ${pageSize}`,
      values: [organizationId, ...(after ?? [])],
      rowMode: 'array',
    });
    if (rows.length > 0) yield rows;
    after = rows.at(-1) ?? null;
    if (rows.length < pageSize) return;
  }
}

async function takenIn(
  client: Client,
  table: MovedTable,
  unique: readonly Column[],
  organizationId: string,
  values: readonly Values[],
): Promise<string[]> {
  const name = quote(table.name);
  const arrays = unique.map((_, index) => `$${index + 2}::text[]`).join(', ');
  const columns = unique.map((column) => quote(column.name)).join(', ');
  const equal = unique.map((column) => `${name}.${quote(column.name)} = given.${quote(column.name)}::${column.type}`);
  const shown = unique.filter(({ type }) => type !== 'bytea').map((column) => `${name}.${quote(column.name)}::text`);
  const { rows } = await client.query<{ key: string[]; shown: string[] }>(
    `select json_build_array(${table.key.map((column) => `${name}.${quote(column.name)}::text`).join(', ')}) as key,
       json_build_array(${shown.join(', ')}) as shown
     from ${name} join unnest(${arrays}) as given (${columns}) on ${equal.join(' and ')}
     where ${name}.${quote(table.organization)} <> $1`,
    [organizationId, ...unique.map((_, index) => values.map((each) => each[index] ?? null))],
  );
  const names = unique.map((column) => column.name).join(', ');
  return rows.map((row) => {
    const owner = `of the organization ${row.key[0]}`;
    return row.shown.length === 0
      ? `the ${names} of a row of ${table.name} ${owner}`
      : `the ${names} "${row.shown.join(', ')}" of ${table.name} ${owner}`;
  });
}
