import type { Compilable, Kysely } from 'kysely';
import type { Em } from './database.ts';
import { runStatement } from './statement.ts';
import type { Tables } from './tables.ts';

/** Stands for a value while the query is compiled. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A Kysely query that is compiled once, for hot paths: building and compiling a large query takes longer than
 * PostgreSQL needs to run it. `build` may use the values as parameters, but must not depend on them, because it gets
 * placeholders. Returns the rows.
 */
export function compiledQuery<Values extends object, Row>(
  names: readonly (keyof Values & string)[],
  build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
): (em: Em, values: Values) => Promise<Row[]> {
  const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)])) as Values;
  let compiled: { readonly sql: string; readonly parameters: readonly unknown[] } | undefined;
  return async (em, values) => {
    compiled ??= build(em.getKysely(), placeholders).compile();
    const given = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    return runStatement<Row>(em, compiled.sql, given);
  };
}
