import { escapeIdentifier, type Client } from 'pg';
import { migrationNames, readSchemaBy } from '../migrate.ts';
import { pendingIn, schemaProblem } from '../schema-problem.ts';
import { nodeOf } from './citus.ts';

/** A schema with the tables of an installation (decision 0094). */
export interface Cell {
  readonly name: string;
  /** `host:port` of the machine in the Citus cluster that has its rows; null if it is in the connected database. */
  readonly node: string | null;
  readonly organizations: number;
  /** The size of its tables and indexes. */
  readonly bytes: number;
  /** How many migrations it lacks. */
  readonly pending: number;
  /** Why this program must not serve it, as a clause; null if it may. */
  readonly problem: string | null;
}

/** The names of the schemas that have tables of an installation. */
export async function cellNames(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace schema
      where (select count(*) from pg_class where relnamespace = schema.oid and relname in ('migrations', 'organizations')) = 2
      order by name`,
  );
  return rows.map(({ name }) => name);
}

/** Reads what is to be known about a cell. */
export async function readCell(client: Client, name: string): Promise<Cell> {
  const schema = escapeIdentifier(name);
  const node = await nodeOf(client, name);
  const size = node === null ? 'pg_total_relation_size(oid)' : 'citus_total_relation_size(oid)';
  const { rows } = await client.query<{ organizations: number; bytes: string }>(
    `select (select count(*)::int from ${schema}.organizations) as organizations,
      (select coalesce(sum(${size}), 0) from pg_class where relnamespace = '${schema}'::regnamespace and relkind = 'r') as bytes`,
  );
  const [{ organizations, bytes } = { organizations: 0, bytes: '0' }] = rows;
  await client.query('begin read only');
  await client.query("select set_config('search_path', $1, true)", [schema]);
  const found = await readSchemaBy(client);
  await client.query('commit');
  return {
    name,
    node,
    organizations,
    bytes: Number(bytes),
    pending: pendingIn(found, migrationNames).length,
    problem: schemaProblem(found, migrationNames),
  };
}
