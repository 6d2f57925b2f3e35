import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '../../deadline.ts';
import { isListening, type PostgresAddress } from './address.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterLocation } from './files.ts';
import { spawnOptions } from './unprivileged.ts';

/** Long, because the write-ahead log is replayed after a crash. */
const startMs = 120_000;
const stopMs = 10_000;
const maximumLogBytes = 5_000_000;

/** How a process exited. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A PostgreSQL server that this process started. */
export interface Server {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<Exit>;
}

/**
 * This shell becomes PostgreSQL. Before that, it starts a background process that waits for the end of a pipe from this
 * process, and then stops PostgreSQL. The pipe closes however this process ends. The background process is the child of
 * a subshell, so that PostgreSQL does not get a child that it did not start.
 */
const script = '( { read -r line; kill -INT $$; } <&3 2>/dev/null & ); exec "$0" "$@" 3<&-';

/**
 * Starts PostgreSQL and returns when it accepts connections. If it does not, throws an error with the end of its log.
 */
export async function launch(
  { dataDir, pgdata }: ClusterLocation,
  { postgres }: Binaries,
  settings: Record<string, string>,
): Promise<Server> {
  const logPath = join(dataDir, 'postgres.log');
  await using log = await openLog(logPath);
  const { size } = await log.stat();
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Its process group is separate, so that Ctrl-C reaches only this process, which stops PostgreSQL after its users.
  const child = spawn('/bin/sh', ['-c', script, postgres, '-D', pgdata, ...options], {
    ...spawnOptions,
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'pipe'],
  });
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await once(child, 'spawn');
  void exited.then(() => child.stdio[3]?.destroy());
  for (const deadline = Date.now() + startMs; !hasExited(child); await Promise.race([exited, sleep(20)])) {
    const { pid, status } = await readPidFile(pgdata);
    if (pid !== undefined && pid === child.pid && status === 'ready') return { child, pid, exited };
    if (Date.now() > deadline) child.kill('SIGQUIT');
  }
  const text = (await readFile(logPath)).subarray(size).toString().trim();
  throw new Error(`PostgreSQL did not start. The end of ${logPath}:\n${text.split('\n').slice(-12).join('\n')}`);
}

/**
 * Stops the server with a fast shutdown, or an immediate one if that takes too long. Only open transactions are lost.
 */
export async function shutDown({ child, exited }: Server): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    child.kill(signal);
    await withDeadline(stopMs, exited);
    if (hasExited(child)) return;
  }
  throw new Error(`PostgreSQL (process ${child.pid}) did not stop. End it with: kill -9 ${child.pid}`);
}

/** Waits for the end of a killed process's server, which stops by itself, and deletes its lock files. */
export async function outliveOrphan({ pgdata }: ClusterLocation): Promise<void> {
  const { pid, address } = await readPidFile(pgdata);
  if (pid === undefined) return;
  for (const deadline = Date.now() + stopMs; await isListening(address); await sleep(50)) {
    if (Date.now() < deadline) continue;
    throw new Error(
      `PostgreSQL (process ${pid}) uses ${pgdata}, but no service does. Stop it with: kill -INT ${pid}, and start again.`,
    );
  }
  // Another process may now have the number in these files, and PostgreSQL would refuse to start. It also detects
  // servers by shared memory.
  for (const name of ['postmaster.pid', `.s.PGSQL.${address.port}.lock`]) await rm(join(pgdata, name), { force: true });
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/**
 * Reads postmaster.pid of a running server. Its lines: 1 process number, 4 port, 5 folder of the socket or empty, 8
 * status (`ready` when it accepts connections).
 */
export async function readPidFile(pgdata: string) {
  const lines = (await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const address: PostgresAddress = { sockets: lines[4]?.trim() ? pgdata : null, port: Number(lines[3]) };
  return { pid: Number(lines[0]) || undefined, address, status: lines[7]?.trim() };
}

/**
 * This process opens the file and passes it on, so PostgreSQL needs no access to the folder. A large log is rotated,
 * and one old file is kept.
 */
async function openLog(path: string): Promise<FileHandle> {
  const info = await stat(path).catch(() => undefined);
  if (info !== undefined && info.size > maximumLogBytes) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}
