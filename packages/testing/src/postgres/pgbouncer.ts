import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';
import { accepts, account } from './server.ts';

/** A PgBouncer on this machine, in front of one PostgreSQL. */
export interface Pgbouncer {
  /** The URL of a database of that PostgreSQL. */
  url(database: string): string;
  stop(): Promise<void>;
}

/** The program, searched in `PATH` and where Debian installs it; null if it is not installed. */
export function findPgbouncer(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file)) ?? null;
}

/**
 * Starts PgBouncer with the settings in `deploy/pgbouncer.ini`, changed by `change`, in front of a PostgreSQL that
 * trusts everybody on this machine.
 */
export async function startPgbouncer(
  program: string,
  postgresPort: number,
  change: (settings: string) => string = (settings) => settings,
): Promise<Pgbouncer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'runward-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  const example = await readFile(new URL('../../../../deploy/pgbouncer.ini', import.meta.url), 'utf8');
  const replaced = [
    ['port=5432', `port=${postgresPort}`],
    ['listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =\nlogfile = ${folder}/log`],
    ['auth_type = scram-sha-256', 'auth_type = any'],
    [/^auth_file.*\n/gm, ''],
    ['connect_query=', 'user=postgres connect_query='],
  ] as const;
  await writeFile(file, change(replaced.reduce((text, [from, to]) => text.replaceAll(from, to), example)));
  await chmod(folder, 0o777);
  const child = spawn(program, [file], { ...account, cwd: '/', stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
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
  return { url, stop };
}
