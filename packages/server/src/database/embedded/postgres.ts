import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeIdentifier, type Client } from 'pg';
import { withClient } from '../connection/with-client.ts';
import { isDuplicateDatabase } from '../errors.ts';
import { addressIn, isListening, urlOf } from './address.ts';
import { locatePrograms, prepareBinaries } from './binaries.ts';
import { prepareCluster, readPassword } from './cluster.ts';
import { locationOf, openDataDir, prepareLocation } from './files.ts';
import { tryLock } from './lock.ts';
import { type Exit, launch, outliveOrphan, readPidFile, shutDown } from './server.ts';

/** Options of `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  /** Folder of the database files, which is created if it does not exist. */
  readonly dataDir: string;
  /** Receives messages for the operator. PostgreSQL's own log is `postgres.log` in the folder. */
  readonly log?: (line: string) => void;
  /** A TCP port of 127.0.0.1 on which PostgreSQL also listens, for other programs. */
  readonly port?: number | undefined;
  /** PostgreSQL settings that override those of the service, such as `{ max_connections: '20' }`. */
  readonly settings?: Record<string, string>;
  /** Whether committed data survives a power failure (default true). False is faster and is meant for tests. */
  readonly durable?: boolean;
}

/** A running PostgreSQL that belongs to this process. */
export interface EmbeddedPostgres {
  /** Connection URL of a database (default `runward`), including the password. */
  url(database?: string): string;
  readonly pid: number;
  /** Stops the server and releases the folder. Repeated calls return the same promise. */
  stop(): Promise<void>;
  /** Settles if the server process exits without a call to `stop`. */
  readonly exited: Promise<Exit>;
  [Symbol.asyncDispose](): Promise<void>;
}

const timeoutMs = 30_000;
const notDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** The process whose PostgreSQL uses the folder holds a lock on this file. */
const lockFile = (dataDir: string) => join(dataDir, 'postgres.lock');

/**
 * Starts the embedded PostgreSQL whose files are in `dataDir`, and initializes it at the first start (decision 0064).
 * It stops when this process ends, however it ends. Throws an error that says what to do if another process uses the
 * folder, or if PostgreSQL cannot use the files in it or cannot run on this system.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => {}, durable = true } = options;
  const programs = await locatePrograms();
  const dataDir = await openDataDir(options.dataDir);
  using lock = new DisposableStack();
  if (lock.use(tryLock(lockFile(dataDir))) === null) {
    const remedy = 'Stop it first, or set DATA_DIR to another folder.';
    throw new Error(`The data folder ${dataDir} is in use by another service or command. ${remedy}`);
  }
  const location = await prepareLocation(dataDir, log);
  await outliveOrphan(location);
  const binaries = await prepareBinaries(programs, location.home);
  const password = await prepareCluster(location, binaries, durable);
  const address = await addressIn(location.pgdata, options.port);
  const server = await launch(location, binaries, {
    shared_buffers: '64MB',
    listen_addresses: address.sockets === null || options.port !== undefined ? '127.0.0.1' : '',
    unix_socket_directories: address.sockets === null ? '' : '.',
    port: String(address.port),
    ...(!durable && notDurable),
    ...options.settings,
  });
  log(
    `PostgreSQL ${binaries.major} listening on ${address.sockets ?? `127.0.0.1:${address.port}`} (process ${server.pid})`,
  );

  const held = lock.move();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= shutDown(server).then(() => held.dispose()));
  return {
    url: (database = 'runward') => urlOf(address, password, database),
    pid: server.pid,
    stop,
    exited: new Promise((resolve) => void server.exited.then((exit) => stopped ?? resolve(exit))),
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * The URL of the database `runward` on the embedded PostgreSQL that another live process runs in `dataDir`. Waits until
 * it accepts connections. Null if no process uses the folder.
 */
export async function findRunningEmbedded(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => null);
  if (folder === null) return null;
  for (const deadline = Date.now() + timeoutMs; isLocked(lockFile(folder)); await sleep(100)) {
    const { pgdata } = await locationOf(folder);
    const { address, status } = await readPidFile(pgdata);
    const password = await readPassword(pgdata);
    if (status === 'ready' && password !== undefined && (await isListening(address)))
      return urlOf(address, password, 'runward');
    if (Date.now() > deadline) {
      throw new Error(
        `Another process uses ${folder}, but its PostgreSQL did not become available to this user. Run this as the user who ` +
          'started the service, and see postgres.log in that folder.',
      );
    }
  }
  return null;
}

function isLocked(file: string): boolean {
  using lock = tryLock(file);
  return lock === null;
}

/**
 * Creates the database that `url` names if it does not exist. The user in `url` must be allowed to create databases.
 */
export async function ensureDatabase(url: string): Promise<void> {
  const admin = new URL(url);
  const name = decodeURIComponent(admin.pathname.slice(1));
  admin.pathname = '/postgres';
  const create = async (client: Client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`);
  };
  await withClient(admin.href, create, { connectionTimeoutMillis: 5_000 }).catch((error: unknown) => {
    // Another process may have created it in the meantime.
    if (!isDuplicateDatabase(error)) throw error;
  });
}
