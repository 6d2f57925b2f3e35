import {
  expressionBuilder,
  sql,
  type AliasedExpression,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely';
import type { CountLimit } from '../paging.ts';

/** The time of the database, which is the same for all processes. */
export const databaseNow = sql<string>`now()`;

/**
 * Any of these ids, for a comparison with `=`: one parameter, so that the statement does not depend on their number.
 */
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

/** The number of rows of a query without columns, counted up to `most` + 1, as an expression. */
export function countUpTo<Database, Table extends keyof Database>(
  query: SelectQueryBuilder<Database, Table, unknown>,
  most: CountLimit,
): RawBuilder<number> {
  if (most === undefined) return sql`(${query.select(countAs('total'))})`;
  return upTo(query.select(sql.lit(1).as('one')), most);
}

/**
 * The number of rows of a query, counted up to `most` + 1, as an expression. PostgreSQL plans the query as if all of
 * its rows were read, and stops when enough are counted. With only a limit, it may choose a plan that takes longer than
 * to count all if there are fewer rows than it expects.
 */
export function upTo(query: Expression<unknown>, most: number): RawBuilder<number> {
  return sql`(
    with item as materialized (${query}) select count(*) from (select from item limit ${sql.lit(most + 1)}) counted)`;
}

/** The page sizes that callers use most, and each plus one, because the row after a page shows whether more follow. */
const usualNumbers = new Set([10, 20, 25, 50, 100, 200].flatMap((size) => [size, size + 1]));

/**
 * A number of rows for `limit`. A usual number is part of the text of the statement. From a parameter, PostgreSQL would
 * expect another number of rows, and make a new plan for each execution, which can take longer than reading a page. Use
 * it for statements that have one good plan, whatever their parameters.
 */
export function rowLimit(rows: number): RawBuilder<number> {
  return usualNumbers.has(rows) ? sql.lit(rows) : sql`${rows}`;
}
