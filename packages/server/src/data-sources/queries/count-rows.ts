import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Em } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import type { RowCondition } from './filter-conditions.ts';
import { allOf, type RowSelection } from './row-selection.ts';

/** Up to this many rows are checked one by one instead of being found with several indexes. */
const few = 5_000;

/**
 * With the usual 4 MB, PostgreSQL remembers pages instead of rows if an index finds more than about 40,000 rows, and
 * then compares all rows of these pages.
 */
const memory = '16MB';

/**
 * The exact number of rows that match a selection. Conditions on one column are counted in its index, without reading
 * rows. If one of several columns' conditions finds few rows, the other conditions are checked on them. If all
 * conditions are on single values, their indexes are merged. Must not be called in a transaction.
 */
export async function countRows(em: Em, selection: RowSelection): Promise<number> {
  const { conditions, count } = selection;
  const [only] = conditions;
  if (only === undefined) return count;
  // Subtracts the rows that match the opposite, because an index finds those.
  if (conditions.length === 1 && only.opposite) {
    return count - (await countRows(em, { ...selection, conditions: [only.opposite] }));
  }
  const db = em.getKysely();
  const parts = partsOf(selection);
  if (parts.length === 1 && parts[0]?.conditions.length !== 0) return total(db, matching(selection));
  return db.transaction().execute(async (within) => {
    await sql`select set_config('work_mem', ${memory}, true)`.execute(within);
    return countParts(within, selection, parts);
  });
}

async function countParts(db: Kysely<Tables>, selection: RowSelection, parts: readonly Part[]): Promise<number> {
  if (parts.length > 1) {
    for (const { conditions: own, rest } of parts) {
      if (own.length === 0 || (await upTo(db, few + 1, { ...selection, conditions: own })) > few) continue;
      const found = sql`select * from data_source_rows item where ${allOf({ ...selection, conditions: own }, 'indexed')}`;
      return total(
        db,
        sql`with item as materialized (${found}) select count(*) as total from item where ${plain(rest)}`,
      );
    }
    if (parts.every(({ conditions: own }) => own.some(({ isOneKey }) => isOneKey))) {
      const ids = parts.map(
        ({ conditions: own }) =>
          sql`select item.id from data_source_rows item where ${allOf({ ...selection, conditions: own }, 'indexed')}`,
      );
      return total(db, sql`select count(*) as total from (${sql.join(ids, sql` intersect all `)}) found`);
    }
  }
  return total(db, matching(selection));
}

function matching(selection: RowSelection): RawBuilder<unknown> {
  return sql`select count(*) as total from data_source_rows item where ${allOf(selection, 'indexed')}`;
}

/**
 * The conditions that one index decides, and all others. `conditions` is empty for conditions that no index decides.
 */
interface Part {
  readonly conditions: readonly RowCondition[];
  readonly rest: readonly RowCondition[];
}

function partsOf({ conditions }: RowSelection): Part[] {
  const bySlot = Map.groupBy(conditions, ({ slot }) => slot);
  return [...bySlot].map(([slot, own]) => ({
    conditions: slot === undefined ? [] : own,
    rest: conditions.filter((condition) => !own.includes(condition)),
  }));
}

/** The number of rows that match, at most `most`. */
async function upTo(db: Kysely<Tables>, most: number, selection: RowSelection): Promise<number> {
  const found = sql`select from data_source_rows item where ${allOf(selection, 'indexed')} limit ${most}`;
  return total(db, sql`select count(*) as total from (${found}) found`);
}

function plain(conditions: readonly RowCondition[]): RawBuilder<unknown> {
  return sql.join(
    conditions.map((condition) => condition.plain),
    sql` and `,
  );
}

async function total(db: Kysely<Tables>, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`${query}`.execute(db);
  return rows[0]?.total ?? 0;
}
