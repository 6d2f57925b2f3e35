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
