import { MikroORM, ReferenceKind } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { discovery, Naming } from '../../../src/database/discovery.ts';
import { entities } from '../../../src/database/entities.ts';

/** Tables that belong to libraries: their DDL is in the baseline migration, and no entity describes them. */
export const libraryTables = ['agenda_jobs', 'migrations', 'rate_limits'];

/** The SQL that would create the schema of the entities, and the SQL that would turn a database's schema into it: empty if there is no difference. */
export async function schemaSql(url: string): Promise<{ create: string; update: string }> {
  const orm = await MikroORM.init({
    clientUrl: url,
    driverOptions: { connectionString: url },
    entities: Object.values(entities),
    namingStrategy: Naming,
    discovery,
    schemaGenerator: { skipTables: libraryTables },
  });
  try {
    // The schema generator reads foreign keys from relations that are written, and ours are not (see entities.ts).
    for (const { properties } of orm.getMetadata().getAll().values()) {
      for (const property of Object.values(properties)) {
        if (property.kind === ReferenceKind.MANY_TO_ONE) property.persist = true;
      }
    }
    const options = { wrap: false };
    return {
      create: await orm.schema.getCreateSchemaSQL(options),
      update: await orm.schema.getUpdateSchemaSQL(options),
    };
  } finally {
    await orm.close();
  }
}

/** How many foreign keys the entities declare. */
export function countRelations(): number {
  const relations = Object.values(entities).flatMap(({ meta }) =>
    Object.values(meta.properties).filter(({ kind }) => kind === ReferenceKind.MANY_TO_ONE),
  );
  return relations.length;
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
    from pg_constraint where contype = 'f' order by conname`);
  return rows;
}

/** The columns of the primary key of each of our tables. */
export async function primaryKeys(client: Client): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select relname as table, ${columnsOf('conrelid', 'conkey')} as columns
     from pg_class left join pg_constraint on conrelid = pg_class.oid and contype = 'p'
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> all ($1) order by 1`,
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
