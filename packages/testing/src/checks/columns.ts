import { withClient } from '@runward/server/internal/database/connection/with-client';
import { escapeIdentifier } from 'pg';
import type { Column } from './secrets.ts';

/**
 * Reads every column that can hold text, and bytes as far as they are readable. With `organizationIds`, leaves out rows
 * of other organizations.
 */
export async function readColumns(databaseUrl: string, organizationIds?: readonly string[]): Promise<Column[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<Table>(findTables);
    const found = [];
    for (const { table, columns, owner } of tables) {
      const selected = columns.map(({ name, type }) => {
        const column = escapeIdentifier(name);
        const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
        return `string_agg(${text}, E'\\n') as ${column}`;
      });
      const isOwn = organizationIds && owner !== null;
      const { rows } = await client.query<Record<string, string | null>>(
        `select ${selected.join(', ')} from ${table} ${isOwn ? `where ${owner} = any($1)` : ''}`,
        isOwn ? [organizationIds] : [],
      );
      for (const [column, text] of Object.entries(rows[0] ?? {})) {
        found.push({ name: `${table}.${column}`, text: text ?? '' });
      }
    }
    return found;
  });
}

interface Table {
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The column with the id of the organization, if there is one. */
  readonly owner: string | null;
}

// The views of the information schema take ten times as long.
const findTables = `
  select "table"::regclass::text as "table",
    json_agg(json_build_object('name', name, 'type', type)) filter (where can_hold_text) as columns,
    case when "table" = to_regclass('organizations') then 'id' else max(name) filter (where name = 'organization_id') end as owner
  from (
    select attrelid as "table", attname as name, format_type(atttypid, null) as type,
      format_type(atttypid, null) ~ '^(text|character varying|json|jsonb|bytea)$|\\[]$' as can_hold_text
    from pg_attribute where attnum > 0 and not attisdropped) each
  join pg_class on pg_class.oid = "table"
  where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
  group by "table"
  having bool_or(can_hold_text)`;
