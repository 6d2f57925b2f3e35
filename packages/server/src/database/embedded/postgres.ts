import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { isDuplicateDatabase } from '../errors.ts';
import { prepareBinaries } from './binaries.ts';
import { prepareCluster, readPassword } from './cluster.ts';
import { hasOwner, takeOwnership } from './owner.ts';
import { databaseFilesOf, findPlace, openDataDir } from './files.ts';
import { type End, launch, readPidFile, shutDown, stopStray } from './server.ts';

/** What `startEmbeddedPostgres` needs to know. */
export interface EmbeddedPostgresOptions {
  /** Folder of the database files; made if missing. */
  readonly dataDir: string;
  /** Told, a line at a time, what a person should know; PostgreSQL's own log is `postgres.log` in the folder. */
  readonly log?: (line: string) => void;
  /** PostgreSQL settings on top of ours, such as `{ max_connections: '20' }`. */
  readonly settings?: Record<string, string>;
  /** Whether what was committed survives a power cut (default true). False is faster and meant for tests. */
  readonly durable?: boolean;
}

/** A running PostgreSQL that belongs to this process. */
export interface EmbeddedPostgres {
  /** Connection URL of a database (default `runward`), with the password in it. */
  url(database?: string): string;
  readonly port: number;
  readonly pid: number;
  /** Stops the server and gives up the folder; safe to call again. */
  stop(): Promise<void>;
  /** Settles when the server process ends without `stop` having been called. */
  readonly exited: Promise<End>;
  [Symbol.asyncDispose](): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
};
const PATIENCE_MS = 30_000;
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const FLEETING = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Starts (initialising first if needed) the embedded PostgreSQL whose files live in `dataDir`.
 *
 * It listens on a free port of 127.0.0.1 only. Started by root, it runs as an unprivileged user. A server that a killed
 * process left in the folder is stopped first. Throws, saying what to do, when another live process owns the folder,
 * when the files were made by another major version, or when PostgreSQL cannot run here.
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
  const place = await findPlace(dataDir, log);
  // A copy of the data folder would lead to the same files outside.
  if (place.home !== dataDir) ownership.defer(await takeOwnership(place.home));

  const stray = await stopStray(place);
  if (stray !== undefined) log(`stopped PostgreSQL process ${stray}, left behind by a killed process`);
  const binaries = await prepareBinaries(place);
  const password = await prepareCluster(place, binaries, durable);
  const server = await launch(place, binaries, { ...SETTINGS, ...(durable ? DURABLE : FLEETING), ...options.settings });
  log(`PostgreSQL ${binaries.major} listening on 127.0.0.1:${server.port} (process ${server.pid})`);

  // The last chance when this process ends without calling stop; only kill -9 leaves a stray.
  const abandon = () => server.child.kill('SIGINT');
  process.once('exit', abandon);
  const owned = ownership.move();
  let stopped: Promise<void> | undefined;
  const end = async () => {
    await shutDown(server);
    process.off('exit', abandon);
    await owned.disposeAsync();
  };
  const stop = () => (stopped ??= end());
  return {
    url: (database = 'runward') => urlOf(server.port, password, database),
    port: server.port,
    pid: server.pid,
    stop,
    exited: new Promise((resolve) => void server.ended.then((how) => stopped ?? resolve(how))),
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * The URL of database `runward` on the embedded PostgreSQL that another live process runs in `dataDir`; waits while that one starts.
 * Null where no process uses the folder.
 */
export async function findRunningEmbedded(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => null);
  if (folder === null) return null;
  for (const deadline = Date.now() + PATIENCE_MS; await hasOwner(folder); await sleep(100)) {
    const pgdata = await databaseFilesOf(folder);
    const { port, status } = await readPidFile({ pgdata });
    const password = await readPassword(pgdata);
    if (status === 'ready' && password !== undefined) return urlOf(port, password, 'runward');
    if (Date.now() > deadline) {
      throw new Error(
        `Another process uses ${folder}, but its PostgreSQL did not become available to this user. Run this as the user who ` +
          'started the service, and see postgres.log in that folder.',
      );
    }
  }
  return null;
}

/** Creates the database that `url` names if its server has none of that name; the user in `url` must be allowed to. */
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

function urlOf(port: number, password: string, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}
