import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';

/** What a PostgreSQL server is started with. */
export interface PostgresServerOptions {
  /** The folder of PostgreSQL's programs. */
  readonly binaries: string;
  /** Settings in addition to those for throw-away data. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** A PostgreSQL with throw-away data, listening on a port of 127.0.0.1 and trusting every user there. */
export interface PostgresServer {
  readonly binaries: string;
  readonly port: number;
  /** The URL of a database; default `postgres`. */
  url(database?: string): string;
  /** Ends the server as a crash does, and returns what starts it again. */
  takeDown(): Promise<() => Promise<void>>;
  /** Ends the server as a crash does, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL does not run as root. Any other user id that owns the files works, even without an account. */
export const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** Settings for measuring and for faults: nothing that was committed is lost, as in production. */
export const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const notDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

const options = { ...account, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } };

/** Creates a cluster and starts its server. */
export async function startPostgresServer({ binaries, settings }: PostgresServerOptions): Promise<PostgresServer> {
  return startPostgresOn(
    (data) =>
      execFileSync(
        join(binaries, 'initdb'),
        ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
        options,
      ),
    { binaries, settings },
  );
}

/**
 * Copies a running server and starts the copy as its replica, which follows it by streaming. Needs the program
 * `pg_basebackup` among its binaries.
 */
export async function startReplicaOf(
  { binaries, port }: PostgresServer,
  settings?: PostgresServerOptions['settings'],
): Promise<PostgresServer> {
  const source = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres'];
  return startPostgresOn(
    (data) =>
      execFileSync(
        join(binaries, 'pg_basebackup'),
        ['-D', data, ...source, '-R', '--checkpoint=fast', '--wal-method=stream', '--no-sync'],
        options,
      ),
    { binaries, settings },
  );
}

/**
 * The folder of a PostgreSQL with `pg_basebackup`, with which replicas are made, or null. It is searched in `PATH` and
 * where Debian installs it; the embedded PostgreSQL lacks this program.
 */
export function findReplicationPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const installed = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...installed];
  const programs = ['postgres', 'initdb', 'pg_basebackup'];
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program)))) ?? null;
}

/** Starts a server on the files that `create` puts into a folder, which does not exist before. */
export async function startPostgresOn(
  create: (data: string) => void,
  { binaries, settings }: PostgresServerOptions,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'runward-postgres-'));
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  create(data);
  const port = await freePort();
  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const flags = Object.entries({ ...notDurable, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

  async function launch() {
    const log = openSync(join(folder, 'log'), 'a');
    const server = spawn(
      join(binaries, 'postgres'),
      ['-D', data, '-h', '127.0.0.1', '-p', `${port}`, '-k', '', ...flags],
      { ...options, stdio: ['ignore', log, log], detached: true },
    );
    const ended = once(server, 'exit');
    await until(() => accepts(url()), `PostgreSQL to accept connections; see ${folder}/log`, 30);
    return async (signal: NodeJS.Signals) => {
      server.kill(signal);
      await ended;
    };
  }

  let end = await launch();
  const takeDown = async () => {
    await end('SIGQUIT');
    return async () => {
      end = await launch();
    };
  };
  return {
    binaries,
    port,
    url,
    takeDown,
    crash: async () => (await takeDown())(),
    stop: async () => {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a server, or a pooler in front of one, takes a query. */
export async function accepts(url: string): Promise<boolean> {
  return withClient(url, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  );
}
