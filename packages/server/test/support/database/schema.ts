import { MikroORM, ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { columnOf } from '../../../src/database/columns.ts';
import { entities } from '../../../src/database/entities.ts';
import type { Reference } from '../../../src/database/references.ts';

/** Tables that belong to libraries: their DDL is in the baseline migration, and no entity describes them. */
export const libraryTables = ['agenda_jobs', 'migrations', 'rate_limits'];

/**
 * The SQL that would create the schema of the entities, and the SQL that would turn a database's schema into it: empty
 * if there is no difference.
 */
export async function schemaSql(url: string): Promise<{ create: string; update: string }> {
  const orm = await MikroORM.init({
    clientUrl: url,
    driverOptions: { connectionString: url },
    entities: [...entities],
    schemaGenerator: { skipTables: libraryTables },
  });
  try {
    addForeignKeys([...orm.getMetadata().getAll().values()]);
    const options = { wrap: false };
    return {
      create: await orm.schema.getCreateSchemaSQL(options),
      update: await orm.schema.getUpdateSchemaSQL(options),
    };
  } finally {
    await orm.close();
  }
}

/** Adds what the schema generator makes foreign keys of: relations, which the entities do not have. */
function addForeignKeys(tables: readonly EntityMetadata[]): void {
  for (const { table, property, references } of declaredForeignKeys()) {
    const targetMeta = tables.find(({ tableName }) => tableName === references.table);
    if (!targetMeta) throw new Error(`${table}.${property}: there is no table ${references.table} to refer to.`);
    const shared = property === 'organizationId' ? [] : ['organization_id'];
    const fieldNames = [...shared, columnOf(property)];
    const relation = {
      kind: ReferenceKind.MANY_TO_ONE,
      fieldNames,
      columnTypes: fieldNames.map(() => 'uuid'),
      foreignKeyName: `${table}_${fieldNames.join('_')}_fkey`,
      createForeignKeyConstraint: true,
      targetMeta,
      referencedTableName: references.table,
      referencedColumnNames: [...shared, 'id'],
      deleteRule: references.onDelete,
      updateRule: 'no action',
    };
    tables.find(({ tableName }) => tableName === table)?.props.push(relation as unknown as EntityProperty);
  }
}

/** The foreign keys that the entities declare. */
export function declaredForeignKeys() {
  return entities.flatMap(({ meta }) =>
    Object.entries(meta.properties).flatMap(([property, options]) => {
      const { references } = options as { readonly references?: Reference };
      return references ? [{ table: meta.tableName, property, references }] : [];
    }),
  );
}

/** A foreign key as PostgreSQL knows it; `columns` and `targetColumns` belong together one by one. */
export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
}

/** Column names of a constraint in its order. */
const columnsOf = (relation: string, numbers: string) => `array(
  select attname::text from unnest(${numbers}) with ordinality key (number, place)
  join pg_attribute on attrelid = ${relation} and attnum = number order by place)`;

/** All foreign keys between our tables. */
export async function foreignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select conname as name, conrelid::regclass::text as table, ${columnsOf('conrelid', 'conkey')} as columns,
      confrelid::regclass::text as target, ${columnsOf('confrelid', 'confkey')} as "targetColumns"
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by conname`);
  return rows;
}

/** The columns of the primary key of each of our tables. */
export async function primaryKeys(client: Client): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select relname as table, ${columnsOf('conrelid', 'conkey')} as columns
     from pg_class left join pg_constraint on conrelid = pg_class.oid and contype = 'p'
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> all ($1) order by 1`,
    [libraryTables],
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** Every column, constraint and index of our tables, as PostgreSQL prints them. */
export async function catalogOf(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(
      `select line from (
         select table_name as name, concat_ws(' ', 'column', table_name, column_name, udt_name, is_nullable, column_default)
         from information_schema.columns where table_schema = 'public'
         union all
         select conrelid::regclass::text, concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
         from pg_constraint where connamespace = 'public'::regnamespace
         union all
         select tablename, concat_ws(' ', 'index', indexdef) from pg_indexes where schemaname = 'public'
       ) part (name, line) where name <> all ($1) order by line`,
      [libraryTables],
    );
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}
