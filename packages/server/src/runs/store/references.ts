import type { UserRole } from '@runward/contract';
import { DataSourceColumn } from '../../data-sources/entities/data-source-column.ts';
import { DataSourceRow } from '../../data-sources/entities/data-source-row.ts';
import { selectList } from '../../database/columns.ts';

/** The ids of the records that a command refers to, besides its run. */
export interface References {
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
  /** Ids of data source rows. */
  readonly rowIds: readonly string[];
}

const ofRow = ['id', 'dataSourceId', 'active', 'cells'] as const;
const ofColumn = ['id', 'type', 'settings'] as const;

/** A row of a data source with the columns of its data source. */
export interface ReferredRow extends Pick<DataSourceRow, (typeof ofRow)[number]> {
  readonly columns: readonly Pick<DataSourceColumn, (typeof ofColumn)[number]>[];
}

/** An active member to whom a command refers. */
export interface ReferredMember {
  readonly role: UserRole;
  readonly groupIds: readonly string[];
}

/** The records among them that the organization has. */
export interface Referents {
  /** Active members by id. */
  readonly members: ReadonlyMap<string, ReferredMember>;
  readonly groupIds: ReadonlySet<string>;
  /** By id. */
  readonly rows: ReadonlyMap<string, ReferredRow>;
}

/** What `selectReferents` returns. A list is null if it is empty. */
export interface SelectedReferents {
  readonly members:
    | readonly { readonly id: string; readonly role: UserRole; readonly groupIds: readonly string[] | null }[]
    | null;
  readonly groupIds: readonly string[] | null;
  readonly rows: readonly ReferredRow[] | null;
}

/** SQL for the records with these ids that organization `$1` has, as JSON. Takes SQL for the lists of `References`. */
export function selectReferents({
  userIds,
  groupIds,
  rowIds,
}: { readonly [List in keyof References]: string }): string {
  return `json_build_object(
    'members', (
      select json_agg(json_build_object('id', member.id, 'role', member.role, 'groupIds', (
        select json_agg(membership.group_id) from group_members membership
        where membership.organization_id = $1 and membership.user_id = member.id)))
      from users member
      where member.organization_id = $1 and member.id = any(${userIds}) and member.status = 'ACTIVE'),
    'groupIds', (
      select json_agg(named.id) from groups named
      where named.organization_id = $1 and named.id = any(${groupIds}) and named.deleted_at is null),
    'rows', (
      select json_agg(named) from (
        select ${selectList(DataSourceRow, 'item', ofRow)}, (
          select json_agg(part) from (
            select ${selectList(DataSourceColumn, 'item_column', ofColumn)} from data_source_columns item_column
            where item_column.organization_id = $1 and item_column.data_source_id = item.data_source_id) part) as columns
        from data_source_rows item where item.organization_id = $1 and item.id = any(${rowIds})) named))`;
}

/** The selected records; empty if none were selected. */
export function referentsOf(selected: SelectedReferents | undefined): Referents {
  const { members, groupIds, rows } = selected ?? {};
  return {
    members: new Map((members ?? []).map(({ id, role, groupIds }) => [id, { role, groupIds: groupIds ?? [] }])),
    groupIds: new Set(groupIds),
    rows: new Map((rows ?? []).map((row) => [row.id, row])),
  };
}
