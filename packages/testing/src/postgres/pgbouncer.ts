import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { withoutPreparedStatements } from '@runward/server/internal/settings/prepared-statements';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';
import { accepts, account } from './server.ts';

/** A PgBouncer on this machine, in front of one PostgreSQL. */
export interface Pgbouncer {
  /** The URL of a database of that PostgreSQL. */
  url(database: string): string;
  /** That URL for a service, without prepared statements if this version does not know them. */
  serviceUrl(database: string): string;
  stop(): Promise<void>;
}

/** A PgBouncer that is installed here. */
export interface PgbouncerProgram {
  readonly file: string;
  readonly version: string;
  /** Whether it keeps the prepared statements of its clients apart, as 1.21 and newer do. */
  readonly knowsPreparedStatements: boolean;
}

/** The program, searched in `PATH` and where Debian installs it; null if it is not installed. */
export function findPgbouncer(): PgbouncerProgram | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  const file = folders.map((folder) => join(folder, 'pgbouncer')).find((each) => existsSync(each));
  if (file === undefined) return null;
  const [, version = '', major, minor] =
    /PgBouncer ((\d+)\.(\d+)\S*)/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' })) ?? [];
  return { file, version, knowsPreparedStatements: Number(major) > 1 || Number(minor) >= 21 };
}

/**
 * Starts PgBouncer with the settings in `deploy/pgbouncer.ini`, changed by `change`, in front of a PostgreSQL that
 * trusts everybody on this machine.
 */
export async function startPgbouncer(
  { file, knowsPreparedStatements }: PgbouncerProgram,
  postgresPort: number,
  change: (settings: string) => string = (settings) => settings,
): Promise<Pgbouncer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'runward-pgbouncer-'));
  const settings = join(folder, 'pgbouncer.ini');
  const example = await readFile(new URL('../../../../deploy/pgbouncer.ini', import.meta.url), 'utf8');
  const replaced = [
    ['port=5432', `port=${postgresPort}`],
    ['listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =\nlogfile = ${folder}/log`],
    ['auth_type = scram-sha-256', 'auth_type = any'],
    [/^auth_file.*\n/gm, ''],
    ['connect_query=', 'user=postgres connect_query='],
    ...(knowsPreparedStatements ? [[';   max_prepared', 'max_prepared'] as const] : []),
  ] as const;
  await writeFile(settings, change(replaced.reduce((text, [from, to]) => text.replaceAll(from, to), example)));
  await chmod(folder, 0o777);
  const child = spawn(file, [settings], { ...account, cwd: '/', stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const serviceUrl = (database: string) =>
    knowsPreparedStatements ? url(database) : withoutPreparedStatements(url(database));
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true });
  };
  try {
    await until(() => accepts(url('postgres')), 'PgBouncer');
  } catch (error) {
    const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '');
    await stop();
    throw new Error(`PgBouncer did not start: ${log}`, { cause: error });
  }
  return { url, serviceUrl, stop };
}
