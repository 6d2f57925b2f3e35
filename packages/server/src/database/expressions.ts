import { expressionBuilder, sql, type AliasedExpression } from 'kysely';

/** The time of the database, which is the same for all processes. */
export const databaseNow = sql<string>`now()`;

/** For a comparison with `=`: any of these ids. One parameter, so that the text of the statement does not depend on their number. */
export function anyOf(ids: readonly string[]) {
  return sql<string>`any(${ids}::uuid[])`;
}

/** The number of rows that meet an SQL condition, for a select list. */
export function countIf(condition: string) {
  return sql<number>`count(*) filter (where ${sql.raw(condition)})`;
}

/** `count(*)`, for a select list. */
export function countAs<Name extends string>(name: Name): AliasedExpression<number, Name> {
  return expressionBuilder().fn.countAll<number>().as(name);
}
