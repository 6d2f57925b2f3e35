import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { isDuplicateDatabase } from '../errors.ts';
import { replaceNobody } from './account.ts';
import { addressIn, settingsOf, textOf, urlOf } from './address.ts';
import { prepareBinaries } from './binaries.ts';
import { prepareCluster, readPassword } from './cluster.ts';
import { hasOwner, takeOwnership } from './owner.ts';
import { databaseFilesOf, locateCluster, openDataDir } from './files.ts';
import { type Exit, launch, readPidFile, shutDown, stopOrphan } from './server.ts';

/** Options of `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  /** Folder of the database files; created if it does not exist. */
  readonly dataDir: string;
  /** Receives messages for the operator. PostgreSQL's own log is `postgres.log` in the folder. */
  readonly log?: (line: string) => void;
  /** A TCP port of 127.0.0.1 on which it listens as well, for other programs. */
  readonly port?: number | undefined;
  /** PostgreSQL settings that override ours, such as `{ max_connections: '20' }`. */
  readonly settings?: Record<string, string>;
  /** Whether committed data survives a power failure (default true). False is faster and meant for tests. */
  readonly durable?: boolean;
}

/** A running PostgreSQL that belongs to this process. */
export interface EmbeddedPostgres {
  /** Connection URL of a database (default `runward`), including the password. */
  url(database?: string): string;
  readonly pid: number;
  /** Stops the server and releases the folder. Repeated calls return the same promise. */
  stop(): Promise<void>;
  /** Settles if the server process exits without a call of `stop`. */
  readonly exited: Promise<Exit>;
  [Symbol.asyncDispose](): Promise<void>;
}

const baseSettings = {
  max_connections: '100',
  shared_buffers: '64MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
const timeoutMs = 30_000;
const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const nonDurableSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Starts the embedded PostgreSQL whose files are in `dataDir`, and initializes it at the first start.
 *
 * It listens on a Unix socket that only its user and root can reach, and on a TCP port of 127.0.0.1 if the options name one or the path of
 * the socket is too long. If this process runs as root, it runs as an unprivileged user that no other program uses. An orphaned server of a killed
 * process is stopped first. Throws an error that says what to do if another live process owns the folder, if the files were created by
 * another major version, or if PostgreSQL cannot run on this system.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => {}, durable = true } = options;
  if (process.platform === 'win32') {
    throw new Error(
      'The embedded PostgreSQL supports only Linux and macOS. Install PostgreSQL and set DATABASE_URL, or use WSL.',
    );
  }
  const dataDir = await openDataDir(options.dataDir);
  await using ownership = new AsyncDisposableStack();
  ownership.defer(await takeOwnership(dataDir));
  const found = await locateCluster(dataDir, log);
  // A copy of the data folder would point to the same files outside.
  if (found.home !== dataDir) ownership.defer(await takeOwnership(found.home));

  const orphan = await stopOrphan(found);
  if (orphan !== undefined) log(`stopped PostgreSQL process ${orphan}, left behind by a killed process`);
  const location = await replaceNobody(found, log);
  const binaries = await prepareBinaries(location);
  const password = await prepareCluster(location, binaries, durable);
  const address = await addressIn(location, options.port);
  const server = await launch(location, binaries, {
    ...baseSettings,
    ...settingsOf(address),
    ...(durable ? durableSettings : nonDurableSettings),
    ...options.settings,
  });
  log(`PostgreSQL ${binaries.major} listening on ${textOf(address)} (process ${server.pid})`);

  // Stops the server if this process exits without calling stop; only kill -9 leaves an orphan.
  const interrupt = () => server.child.kill('SIGINT');
  process.once('exit', interrupt);
  const owned = ownership.move();
  let stopped: Promise<void> | undefined;
  const end = async () => {
    await shutDown(server);
    process.off('exit', interrupt);
    await owned.disposeAsync();
  };
  const stop = () => (stopped ??= end());
  return {
    url: (database = 'runward') => urlOf(address, password, database),
    pid: server.pid,
    stop,
    exited: new Promise((resolve) => void server.exited.then((exit) => stopped ?? resolve(exit))),
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * The URL of the database `runward` on the embedded PostgreSQL that another live process runs in `dataDir`, once that accepts connections.
 * Null if no process uses the folder.
 */
export async function findRunningEmbedded(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => null);
  if (folder === null) return null;
  for (const deadline = Date.now() + timeoutMs; await hasOwner(folder); await sleep(100)) {
    const pgdata = await databaseFilesOf(folder);
    const { address, status } = await readPidFile({ pgdata });
    const password = await readPassword(pgdata);
    if (status === 'ready' && password !== undefined) return urlOf(address, password, 'runward');
    if (Date.now() > deadline) {
      throw new Error(
        `Another process uses ${folder}, but its PostgreSQL did not become available to this user. Run this as the user who ` +
          'started the service, and see postgres.log in that folder.',
      );
    }
  }
  return null;
}

/** Creates the database that `url` names if it does not exist. The user in `url` must have the right to. */
export async function ensureDatabase(url: string): Promise<void> {
  const admin = new URL(url);
  const name = decodeURIComponent(admin.pathname.slice(1));
  admin.pathname = '/postgres';
  const client = new Client({ connectionString: admin.href, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`);
  } catch (error) {
    // Another process created it in the meantime.
    if (!isDuplicateDatabase(error)) throw error;
  } finally {
    await client.end();
  }
}
