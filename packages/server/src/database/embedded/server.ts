import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '../../deadline.ts';
import type { PostgresAddress } from './address.ts';
import type { Binaries } from './binaries.ts';
import type { ClusterLocation } from './files.ts';
import { commandOf, hasCode, spawnOptions } from './process.ts';

const maximumAttempts = 5;
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

/** Starts PostgreSQL and returns when it accepts connections. */
export async function launch(
  location: ClusterLocation,
  binaries: Binaries,
  settings: Record<string, string>,
): Promise<Server> {
  const logFile = await openLog(location);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const { size } = await logFile.stat();
      const server = await tryLaunch(location, binaries, settings, logFile);
      if (server !== undefined) return server;
      // Processes of a killed server may still be exiting.
      if (attempt < maximumAttempts) await sleep(200 * attempt);
      else throw new Error(`PostgreSQL did not start. The end of ${logPath(location)}:\n${await tail(location, size)}`);
    }
  } finally {
    await logFile.close();
  }
}

async function tryLaunch(
  location: ClusterLocation,
  binaries: Binaries,
  settings: Record<string, string>,
  logFile: FileHandle,
) {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // In its own process group, so that Ctrl-C reaches only this process, which stops the server when its users are done.
  const child = spawn(binaries.postgres, ['-D', location.pgdata, ...options], {
    ...spawnOptions(location.account),
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  });
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await once(child, 'spawn');

  const deadline = Date.now() + startMs;
  while (!hasExited(child)) {
    const { pid, status } = await readPidFile(location);
    if (pid !== undefined && pid === child.pid && status === 'ready') return { child, pid, exited };
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      await exited;
      throw new Error(`PostgreSQL was not ready after ${startMs / 1000} s. See ${logPath(location)}.`);
    }
    await Promise.race([exited, sleep(20)]);
  }
  return undefined;
}

/** Stops the server with a fast shutdown, or an immediate one if that takes too long. Only open transactions are lost. */
export async function shutDown({ child, exited }: Server): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    child.kill(signal);
    await withDeadline(stopMs, exited);
    if (hasExited(child)) return;
  }
  throw new Error(`PostgreSQL (process ${child.pid}) did not stop. End it with: kill -9 ${child.pid}`);
}

/** Stops the orphaned server of a killed owner, if there is one, and returns its process number. */
export async function stopOrphan(location: ClusterLocation): Promise<number | undefined> {
  const { pid } = await readPidFile(location);
  if (pid === undefined) return undefined;
  const isRunning = async () => (await commandOf(pid)).includes(` -D ${location.pgdata}`);
  if (!(await isRunning())) {
    // Another process may use this number now; PostgreSQL would then refuse to start.
    await rm(pidFile(location), { force: true });
    return undefined;
  }
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    kill(pid, signal);
    for (const deadline = Date.now() + stopMs; Date.now() < deadline; await sleep(50)) {
      if (!(await isRunning())) return pid;
    }
  }
  throw new Error(`An orphaned PostgreSQL (process ${pid}) did not stop. End it with: kill -9 ${pid}`);
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It may have exited since the check.
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

const pidFile = ({ pgdata }: Pick<ClusterLocation, 'pgdata'>) => join(pgdata, 'postmaster.pid');

/**
 * Reads postmaster.pid of a running server. Its lines: 1 process number, 4 port, 5 folder of the socket or nothing, 8 status (`ready` when it
 * accepts connections).
 */
export async function readPidFile(location: Pick<ClusterLocation, 'pgdata'>) {
  const lines = (await readFile(pidFile(location), 'utf8').catch(() => '')).split('\n');
  const address: PostgresAddress = { sockets: lines[4]?.trim() || null, port: Number(lines[3]) };
  return { pid: Number(lines[0]) || undefined, address, status: lines[7]?.trim() };
}

const logPath = (location: ClusterLocation) => join(location.dataDir, 'postgres.log');

/** The file is opened here and inherited, so the account needs no access to the folder. A large one is rotated; one old file is kept. */
async function openLog(location: ClusterLocation): Promise<FileHandle> {
  const info = await stat(logPath(location)).catch(() => undefined);
  if (info !== undefined && info.size > maximumLogBytes) await rename(logPath(location), `${logPath(location)}.1`);
  return open(logPath(location), 'a', 0o600);
}

async function tail(location: ClusterLocation, from: number): Promise<string> {
  const text = await readFile(logPath(location));
  return text.subarray(from).toString().trim().split('\n').slice(-12).join('\n');
}
