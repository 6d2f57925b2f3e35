import { entities } from './entities.ts';

/** Runs a statement and returns its rows, which have one column `name`. */
export type ReadNames = (statement: string) => Promise<readonly { readonly name: string | null }[]>;

/** The tables of the current schema, without those of extensions. */
const tableNames = `select relname as name from pg_class
  join pg_namespace on pg_namespace.oid = relnamespace and nspname = current_schema()
  where relkind in ('r', 'p') and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`;
/** The version of PostgreSQL as a number and as text, and the encoding of the database, in this order. */
const serverSettings = `select unnest(array[current_setting('server_version_num'), current_setting('server_version'),
  current_setting('server_encoding')]) as name`;
/** PostgreSQL 15. */
const oldestVersion = 150_000;
/** Read as JSON, because a table of this name from another program has other columns. */
const migrationNames = `select to_jsonb(migrations) ->> 'name' as name from migrations order by 1`;

/**
 * Whether a program with these migrations may run beside a further one, by its name (decisions 0069 and 0101). One that
 * ends in `-compatible` permits every program; one in `-compatible-since-0024` those that know the migration 0024.
 */
export function isCompatible(migration: string, known: readonly string[]): boolean {
  const match = /-compatible(?:-since-(\d{4}))?$/.exec(migration);
  if (match === null) return false;
  const [, since] = match;
  return since === undefined || known.some((name) => name.startsWith(`${since}-`));
}

/**
 * Why a program with these migrations, oldest first, must not use the database, as a clause that says what to do. Null
 * if it may. An empty database, or one that lacks the latest migrations, can be migrated and has no problem.
 */
export function schemaProblem({ tables, applied, server }: Schema, known: readonly string[]): string | null {
  if (server.versionNumber < oldestVersion) {
    return `the database is of PostgreSQL ${server.version}: use PostgreSQL 15 or newer`;
  }
  if (applied.length === 0) {
    if (tables.size === 0) {
      return server.encoding === 'UTF8'
        ? null
        : `the database has the encoding ${server.encoding}: create it from template0 with the encoding UTF8`;
    }
    return 'the database has tables, but no migrations of this service: use an empty database, or restore a complete backup';
  }
  const unknown = applied.filter((name) => !known.includes(name));
  const [first] = unknown;
  if (unknown.length === applied.length) {
    return `the database is of another program, or of a version that this one cannot upgrade (its first migration is ${first}): use another database`;
  }
  const newer = unknown.find((name) => !isCompatible(name, known));
  if (newer !== undefined) {
    return `the database is newer than this program, which does not know its migration ${newer}: start the version that migrated it`;
  }
  const pending = pendingIn({ applied }, known);
  const [gap] = pending;
  const isLatest = unknown.length === 0 && known.indexOf(gap ?? '') + pending.length === known.length;
  if (gap !== undefined && !isLatest) {
    return `the database is half migrated, without the migration ${gap}: restore a backup`;
  }
  const missing =
    pending.length > 0 ? [] : entities.map(({ meta }) => meta.tableName).filter((name) => !tables.has(name));
  return missing.length === 0
    ? null
    : `the database is half migrated, without the tables ${missing.join(', ')}: restore a backup`;
}

/** The known migrations that a database lacks, oldest first. */
export function pendingIn({ applied }: Pick<Schema, 'applied'>, known: readonly string[]): string[] {
  return known.filter((name) => !applied.includes(name));
}

/** The tables of a database, the names of its migrations, oldest first, and the PostgreSQL that it is in. */
export interface Schema {
  readonly tables: ReadonlySet<string>;
  readonly applied: readonly string[];
  readonly server: { readonly version: string; readonly versionNumber: number; readonly encoding: string };
}

/** Reads what decides whether a program may use the database. */
export async function readSchema(read: ReadNames): Promise<Schema> {
  const namesOf = async (statement: string) => (await read(statement)).map(({ name }) => name ?? '?');
  const tables = new Set(await namesOf(tableNames));
  const applied = tables.delete('migrations') ? await namesOf(migrationNames) : [];
  const [versionNumber, version = '?', encoding = '?'] = await namesOf(serverSettings);
  return { tables, applied, server: { version, versionNumber: Number(versionNumber), encoding } };
}
