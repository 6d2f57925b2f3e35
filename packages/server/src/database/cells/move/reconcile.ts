import type { Client } from 'pg';
import { codeOf } from '../../errors.ts';
import type { MovedTable } from './moved-tables.ts';
import { deleteRows, listRows, readRows, summarize, writeRows, type Key, type Range, type RowHash } from './rows.ts';

/** Two cells, each with a connection whose search path is its schema. */
export interface TwoCells {
  readonly source: Client;
  readonly target: Client;
}

/** What a pass over all rows of an organization found and did. */
export interface Pass {
  /** The number of rows in the source. */
  readonly rows: number;
  /** How many rows of the target were written or deleted. */
  readonly changed: number;
  /** The tables with rows that differed. */
  readonly unequal: readonly MovedTable[];
  /** Rows that the target did not accept, because of others that have not been copied or deleted yet. */
  readonly failures: readonly unknown[];
}

/** The number of rows that are compared at once. */
const pageSize = 2_000;
/** How much is copied by one statement: characters of rows, and rows. */
const chunkCharacters = 8_000_000;
const chunkRows = 1_000;

/** unique_violation, foreign_key_violation. */
const conflicts = new Set(['23505', '23503']);

/**
 * Makes the rows of an organization in the target equal to those in the source, by reading the hashes of all rows and
 * the rows that differ. What changes meanwhile, or has to wait for another row, is left to the next pass: the rows are
 * equal when a pass neither changes any nor fails. Can be interrupted and begun again at any time.
 */
export async function reconcile(
  cells: TwoCells,
  tables: readonly MovedTable[],
  organizationId: string,
  report: (table: string, rows: number) => void,
): Promise<Pass> {
  const failures: unknown[] = [];
  const unequal = new Set<MovedTable>();
  const gone: { readonly table: MovedTable; readonly keys: Key[] }[] = [];
  let [total, changed] = [0, 0];
  for (const table of tables) {
    const extra: Key[] = [];
    let after: Key | null = null;
    let isLast = false;
    while (!isLast) {
      const page = await summarize(cells.source, table, organizationId, { after, upTo: null }, pageSize);
      isLast = page.count < pageSize;
      const range: Range = { after, upTo: isLast ? null : page.last };
      const copy = await summarize(cells.target, table, organizationId, range);
      if (copy.hash !== page.hash) {
        unequal.add(table);
        const difference = await differenceOf(cells, table, organizationId, range);
        extra.push(...difference.extra);
        for (const [rows, isNew] of [
          [difference.missing, true],
          [difference.different, false],
        ] as const) {
          changed += await copyRows(cells, table, organizationId, rows, isNew, failures);
        }
      }
      after = page.last;
      total += page.count;
      report(table.name, total);
    }
    if (extra.length > 0) gone.push({ table, keys: extra });
  }
  for (const { table, keys } of gone.toReversed()) {
    const remove = (some: readonly Key[]) => deleteRows(cells.target, table, organizationId, some);
    for (const chunk of chunksOf(keys, () => 0)) changed += await eachIfNeeded(chunk, remove, failures);
  }
  return { rows: total, changed, unequal: [...unequal], failures };
}

async function differenceOf({ source, target }: TwoCells, table: MovedTable, organizationId: string, range: Range) {
  const rows = await listRows(source, table, organizationId, range);
  const copies = new Map(
    (await listRows(target, table, organizationId, range)).map((row) => [JSON.stringify(row.key), row]),
  );
  const [missing, different]: [RowHash[], RowHash[]] = [[], []];
  for (const row of rows) {
    const name = JSON.stringify(row.key);
    const copy = copies.get(name);
    copies.delete(name);
    if (copy === undefined) missing.push(row);
    else if (copy.hash !== row.hash) different.push(row);
  }
  return { missing, different, extra: [...copies.values()].map(({ key }) => key) };
}

/** Returns how many rows were written. */
async function copyRows(
  { source, target }: TwoCells,
  table: MovedTable,
  organizationId: string,
  rows: readonly RowHash[],
  isNew: boolean,
  failures: unknown[],
): Promise<number> {
  let written = 0;
  for (const chunk of chunksOf(rows, ({ bytes }) => bytes)) {
    const read = await readRows(
      source,
      table,
      organizationId,
      chunk.map(({ key }) => key),
    );
    written += await eachIfNeeded(read, (some) => writeRows(target, table, some, isNew), failures);
  }
  return written;
}

/** Does something to rows at once; if they conflict with others, to each of them. Returns to how many it was done. */
async function eachIfNeeded<Row>(
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<void>,
  failures: unknown[],
): Promise<number> {
  if (rows.length === 0) return 0;
  try {
    await work(rows);
    return rows.length;
  } catch (error) {
    if (!conflicts.has(codeOf(error))) throw error;
    if (rows.length === 1) {
      failures.push(error);
      return 0;
    }
  }
  let done = 0;
  for (const row of rows) done += await eachIfNeeded([row], work, failures);
  return done;
}

function* chunksOf<Row>(rows: readonly Row[], sizeOf: (row: Row) => number): Generator<Row[]> {
  let chunk: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    if (chunk.length === chunkRows || (chunk.length > 0 && characters + sizeOf(row) > chunkCharacters)) {
      yield chunk;
      chunk = [];
      characters = 0;
    }
    chunk.push(row);
    characters += sizeOf(row);
  }
  if (chunk.length > 0) yield chunk;
}
