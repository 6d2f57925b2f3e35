import { CompiledQuery } from 'kysely';
import type { Em } from './database.ts';

/**
 * A fixed SQL text with parameters `$1`, `$2` and so on, for hot paths. The text is not rebuilt for each call, and
 * PostgreSQL keeps its plan (see `connection/preparing-client.ts`). Returns the rows.
 */
export function statement<Row>(text: string): (em: Em, ...parameters: unknown[]) => Promise<Row[]> {
  return (em, ...parameters) => runStatement(em, text, parameters);
}

/** The same for a text that writes rows and returns none. Returns the number of the rows that were written. */
export function writing(text: string): (em: Em, ...parameters: unknown[]) => Promise<number> {
  return async (em, ...parameters) => {
    const { numAffectedRows } = await em.getKysely().executeQuery(CompiledQuery.raw(text, parameters));
    return Number(numAffectedRows);
  };
}

/** Runs an SQL text that was assembled from fixed parts. */
export async function runStatement<Row>(em: Em, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  const { rows } = await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
  return rows;
}

/**
 * SQL that is true for a column of a set of records in JSON, a whole number from 0 on. PostgreSQL expects a hundred
 * records of a set, and a single one with this range. For a hundred, it reads a small table completely. Their cost also
 * grows with the tables so fast that PostgreSQL would plan each call anew, because that was cheaper on average.
 */
export function expectsOne(column: string): string {
  return `${column} between 0 and 2147483647`;
}
