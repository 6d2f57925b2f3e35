import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';
import { keyOf } from '../cell-keys.ts';
import type { DataSourceColumn } from '../entities/data-source-column.ts';
import type { CellChange, DataSourceRowChange } from '../entities/data-source-row-change.ts';
import { keyName, keyNames } from '../entities/data-source-row.ts';
import type { Cells } from '../parse-cells.ts';
import { searchOf } from '../search-text.ts';

/** A row to be stored. Instants are ISO 8601 text. */
export interface StoredRow {
  readonly id: string;
  readonly active: boolean;
  readonly cells: Cells;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The data source whose rows are written, with all its columns. */
export interface RowsOf {
  readonly organizationId: string;
  readonly dataSourceId: string;
  readonly columns: readonly DataSourceColumn[];
}

/** Inserts rows with everything that is derived from their cells. */
export async function insertRows(em: Em, of: RowsOf, rows: readonly StoredRow[]): Promise<void> {
  await sql`
    insert into data_source_rows
    select * from json_populate_recordset(null::data_source_rows, ${recordsOf(of, rows)})
  `.execute(em.getKysely());
}

/** Updates rows with everything that is derived from their cells. */
export async function updateRows(em: Em, of: RowsOf, rows: readonly StoredRow[]): Promise<void> {
  const names = ['active', 'cells', 'search_text', 'grams', 'updated_at', ...keyNames];
  const assignments = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`new.${name}`)}`);
  await sql`
    update data_source_rows old set ${sql.join(assignments)}
    from json_populate_recordset(null::data_source_rows, ${recordsOf(of, rows)}) new
    where old.organization_id = ${of.organizationId} and old.id = new.id
  `.execute(em.getKysely());
}

/** Rows as JSON that PostgreSQL reads with `json_populate_recordset`. */
function recordsOf({ organizationId, dataSourceId, columns }: RowsOf, rows: readonly StoredRow[]): string {
  return JSON.stringify(
    rows.map(({ id, active, cells, createdAt, updatedAt }) => {
      const { searchText, grams } = searchOf(dataSourceId, columns, cells);
      return {
        organization_id: organizationId,
        id,
        data_source_id: dataSourceId,
        active,
        cells,
        search_text: searchText,
        grams,
        created_at: createdAt,
        updated_at: updatedAt,
        ...Object.fromEntries(columns.map(({ id, slot, type }) => [keyName(slot), keyOf(type, cells[id])])),
      };
    }),
  );
}

/** A change of a row that is to be recorded. */
export interface RecordedChange extends Pick<
  DataSourceRowChange,
  'organizationId' | 'rowId' | 'id' | 'type' | 'actorType' | 'actorUserId'
> {
  readonly at: string;
  readonly actorApiKeyId: string | null;
  readonly active: boolean | null;
  readonly changes: readonly CellChange[];
}

/** Records changes of rows. */
export async function insertChanges(em: Em, changes: readonly RecordedChange[]): Promise<void> {
  const records = changes.map(({ organizationId, rowId, id, type, at, actorType, actorUserId, ...rest }) => ({
    organization_id: organizationId,
    row_id: rowId,
    id,
    type,
    at,
    actor_type: actorType,
    actor_user_id: actorUserId,
    actor_api_key_id: rest.actorApiKeyId,
    active: rest.active,
    changes: rest.changes,
  }));
  if (records.length === 0) return;
  await sql`
    insert into data_source_row_changes
    select * from json_populate_recordset(null::data_source_row_changes, ${JSON.stringify(records)})
  `.execute(em.getKysely());
}

/** The ids of those rows that exist. They cannot be deleted until the transaction ends. */
export async function lockExisting(em: Em, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  const rows = await em
    .getKysely()
    .selectFrom('data_source_rows')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Deletes rows of a data source with their links and their changes. */
export async function deleteRows(
  em: Em,
  { organizationId, dataSourceId }: Pick<RowsOf, 'organizationId' | 'dataSourceId'>,
  ids: readonly string[],
): Promise<void> {
  await em
    .getKysely()
    .deleteFrom('data_source_rows')
    .where('organization_id', '=', organizationId)
    .where('data_source_id', '=', dataSourceId)
    .where('id', '=', anyOf(ids))
    .execute();
}
