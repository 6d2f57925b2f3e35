import { sql, type RawBuilder } from 'kysely';
import type { RowCondition } from './filter-conditions.ts';

/** Which rows to list. */
export interface RowSelection {
  readonly organizationId: string;
  readonly dataSourceId: string;
  /** The number of rows in the data source that can be listed: all of them, or the active ones. */
  readonly count: number;
  readonly activeOnly: boolean;
  readonly conditions: readonly RowCondition[];
}

/** The conditions of a selection on a row (alias `item`), in the form `indexed` or `plain` of {@link RowCondition}. */
export function allOf(
  { organizationId, dataSourceId, activeOnly, conditions }: RowSelection,
  use: 'indexed' | 'plain',
): RawBuilder<unknown> {
  const own = sql`item.organization_id = ${organizationId} and item.data_source_id = ${dataSourceId}`;
  const active = activeOnly ? [sql`item.active`] : [];
  return sql.join([own, ...active, ...conditions.map((condition) => condition[use])], sql` and `);
}
