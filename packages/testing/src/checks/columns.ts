import { Client, escapeIdentifier } from 'pg';
import type { Column } from './secrets.ts';

/**
 * Reads every column that can hold text, and bytes as far as they are readable. With `organizationIds`, leaves out rows
 * of other organizations.
 */
export async function readColumns(databaseUrl: string, organizationIds?: readonly string[]): Promise<Column[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
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
  } finally {
    await client.end();
  }
}

interface Table {
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** The column with the id of the organization, if there is one. */
  readonly owner: string | null;
}

const findTables = `
  select quote_ident(table_name) as "table",
    json_agg(json_build_object('name', column_name, 'type', data_type)) filter (where can_hold_text) as columns,
    case when table_name = 'organizations' then 'id' else max(column_name) filter (where column_name = 'organization_id') end as owner
  from (
    select *, data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea') as can_hold_text
    from information_schema.columns) each
  join information_schema.tables using (table_schema, table_name)
  where table_type = 'BASE TABLE' and table_schema = current_schema()
  group by table_name
  having bool_or(can_hold_text)`;
