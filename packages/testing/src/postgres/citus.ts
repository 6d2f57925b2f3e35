import { withClient } from '@runward/server/internal/database/connection/with-client';
import { startPostgresServer, type PostgresServer, type PostgresServerOptions } from './server.ts';

/** A Citus cluster on this machine: a coordinator, to which clients connect, and workers. */
export interface CitusCluster {
  readonly coordinator: PostgresServer;
  readonly workers: readonly PostgresServer[];
  /** The URL of the database at the coordinator. */
  readonly url: string;
  stop(): Promise<void>;
}

const database = 'runward';
const settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '400',
  max_locks_per_transaction: '1024',
  // Every schema that is created from now on lies on one worker.
  'citus.enable_schema_based_sharding': 'on',
  'citus.defer_shard_delete_interval': '1s',
};

/** How many machines have cells. */
const workerCount = 2;

/**
 * Starts a cluster with the PostgreSQL in a folder, whose extensions must include `citus`. `more` are settings of every
 * server.
 */
export async function startCitus(
  binaries: string,
  more: PostgresServerOptions['settings'] = {},
): Promise<CitusCluster> {
  const started: PostgresServer[] = [];
  const stop = async () => void (await Promise.all(started.map((server) => server.stop())));
  try {
    for (let index = 0; index <= workerCount; index += 1) {
      const server = await startPostgresServer({ binaries, settings: { ...settings, ...more } });
      started.push(server);
      await run(server.url(), [`create database ${database}`]);
      await run(server.url(database), ['create extension citus']);
    }
    const [coordinator, ...workers] = started;
    if (coordinator === undefined) throw new Error('no coordinator was started');
    await run(coordinator.url(database), [
      `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
      ...workers.map(({ port }) => `select citus_add_node('127.0.0.1', ${port})`),
    ]);
    return { coordinator, workers, url: coordinator.url(database), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  await withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
