import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier, type Client } from 'pg';

/** The first version in which schemas lie on one node each and can be moved. */
const oldest = 12;

/** Why cells cannot be moved between the machines of this database, as a clause with a remedy; null if they can. */
export async function whyNotMovable(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ version: string | null; level: string }>(
    `select (select extversion from pg_extension where extname = 'citus') as version, current_setting('wal_level') as level`,
  );
  const [{ version, level } = { version: null, level: '' }] = rows;
  if (version === null) {
    return (
      'this database is one PostgreSQL without the extension citus, so all cells are on its machine: ' +
      'install Citus and add machines with citus_add_node'
    );
  }
  if (Number.parseInt(version, 10) < oldest) return `Citus is ${version}: upgrade it to ${oldest} or newer`;
  if (level !== 'logical') return `wal_level is ${level}: set it to logical on every machine and restart PostgreSQL`;
  return null;
}

/** `host:port` of the machine that has a schema; null if its tables are not distributed. */
export async function nodeOf(client: Client, schema: string): Promise<string | null> {
  const { rows: installed } = await client.query("select to_regclass('pg_dist_schema') as name");
  if ((installed as { name: string | null }[])[0]?.name == null) return null;
  const { rows } = await client.query<{ node: string }>(
    `select distinct nodename || ':' || nodeport as node from pg_dist_schema
      join pg_dist_partition using (colocationid) join pg_dist_shard using (logicalrelid)
      join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
      where schemaid = $1::regnamespace and noderole = 'primary'`,
    [escapeIdentifier(schema)],
  );
  return rows[0]?.node ?? null;
}

/** `host:port` of every machine that can have cells. */
export async function nodes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_node
      where noderole = 'primary' and shouldhaveshards and isactive order by node`,
  );
  return rows.map(({ node }) => node);
}

/**
 * Creates an empty schema, on one of the machines if the database is a Citus cluster. Does nothing if it exists.
 */
export async function createCellSchema(client: Client, name: string): Promise<void> {
  // Without Citus, it is a setting that nobody reads.
  await client.query("set citus.enable_schema_based_sharding to 'on'");
  await client.query(`create schema if not exists ${escapeIdentifier(name)}`);
}

/** Moves a cell to another machine while it is in use. Its writes stop for about a second at the end. */
export async function moveCell(client: Client, name: string, node: string): Promise<void> {
  const schema = escapeIdentifier(name);
  // An unlogged table cannot be replicated, which is how rows reach the other machine while they change.
  await client.query(`alter table ${schema}.rate_limits set logged`);
  await removeLeftovers(client, name);
  const [, host, port] = /^(.+):(\d+)$/.exec(node) ?? [];
  await client.query('select citus_schema_move($1::regnamespace, $2, $3::int)', [schema, host, port]);
}

/**
 * Removes the copy that an earlier move left on the machine that the cell was on. Citus refuses to move the cell back
 * there before, and cannot remove the copy while a statement still reads it.
 */
async function removeLeftovers(client: Client, name: string): Promise<void> {
  for (let tries = 0; tries < 30; tries++) {
    await client.query('call citus_cleanup_orphaned_resources()');
    const { rowCount } = await client.query(
      "select from pg_dist_cleanup where starts_with(object_name, quote_ident($1) || '.') limit 1",
      [name],
    );
    if (rowCount === 0) return;
    await sleep(1_000);
  }
}
