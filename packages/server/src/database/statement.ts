import { CompiledQuery } from 'kysely';
import type { Em } from './database.ts';

/**
 * A fixed SQL text with parameters `$1`, `$2` and so on, for the paths every request takes: nothing is built anew, and PostgreSQL keeps
 * its plan (see `preparing-client.ts`). Answers the rows.
 */
export function statement<Row>(text: string): (em: Em, ...parameters: unknown[]) => Promise<Row[]> {
  return (em, ...parameters) => runStatement(em, text, parameters);
}

/** Runs a text that was put together from fixed parts. */
export async function runStatement<Row>(em: Em, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  const { rows } = await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
  return rows;
}
