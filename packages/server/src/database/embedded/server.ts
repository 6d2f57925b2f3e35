import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { Place } from './files.ts';
import { commandOf, hasCode, spawnOptions } from './process.ts';

const ATTEMPTS = 5;
/** Replaying the log after a crash takes its time. */
const START_MS = 120_000;
const STOP_MS = 10_000;
const LOG_BYTES = 5_000_000;

/** How a process came to its end. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running PostgreSQL that this process started. */
export interface Server {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly port: number;
  readonly ended: Promise<End>;
}

/** Starts PostgreSQL on a free port of 127.0.0.1 and returns when it accepts connections. */
export async function launch(place: Place, binaries: Binaries, settings: Record<string, string>): Promise<Server> {
  const logFile = await openLog(place);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const { size } = await logFile.stat();
      const server = await tryLaunch(place, binaries, settings, logFile);
      if (server !== undefined) return server;
      // Somebody may have taken the port, or processes of a killed server may still be on their way out.
      if (attempt < ATTEMPTS) await sleep(200 * attempt);
      else throw new Error(`PostgreSQL did not start. The end of ${logPath(place)}:\n${await tail(place, size)}`);
    }
  } finally {
    await logFile.close();
  }
}

async function tryLaunch(place: Place, binaries: Binaries, settings: Record<string, string>, logFile: FileHandle) {
  const all = { port: String(await freePort()), ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Its own process group: Ctrl-C reaches us alone, and we stop the server when its users are done.
  const child = spawn(binaries.postgres, ['-D', place.pgdata, ...options], {
    ...spawnOptions(place.account),
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  });
  const ended = new Promise<End>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await once(child, 'spawn');

  const deadline = Date.now() + START_MS;
  while (!hasEnded(child)) {
    const { pid, port, status } = await readPidFile(place);
    if (pid !== undefined && pid === child.pid && status === 'ready') return { child, pid, port, ended };
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      await ended;
      throw new Error(`PostgreSQL was not ready after ${START_MS / 1000} s. See ${logPath(place)}.`);
    }
    await Promise.race([ended, sleep(20)]);
  }
  return undefined;
}

/** Stops the server, fast, or at once when that takes too long: open transactions are lost, committed ones are not. */
export async function shutDown({ child, ended }: Server): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    child.kill(signal);
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
    if (hasEnded(child)) return;
  }
  throw new Error(`PostgreSQL (process ${child.pid}) did not stop. End it with: kill -9 ${child.pid}`);
}

/** Stops the server that a killed owner of this place left behind, if any; returns its process number. */
export async function stopStray(place: Place): Promise<number | undefined> {
  const { pid } = await readPidFile(place);
  if (pid === undefined) return undefined;
  const runs = async () => (await commandOf(pid)).includes(` -D ${place.pgdata}`);
  if (!(await runs())) {
    // Its number may be in use by some other process, at which PostgreSQL would refuse to start.
    await rm(pidFile(place), { force: true });
    return undefined;
  }
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    kill(pid, signal);
    for (const deadline = Date.now() + STOP_MS; Date.now() < deadline; await sleep(50)) {
      if (!(await runs())) return pid;
    }
  }
  throw new Error(`An orphaned PostgreSQL (process ${pid}) did not stop. End it with: kill -9 ${pid}`);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It may have ended by itself since we looked.
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

const pidFile = ({ pgdata }: Pick<Place, 'pgdata'>) => join(pgdata, 'postmaster.pid');

/** What a running server says of itself. Lines of postmaster.pid: 1 process, 4 port, 8 status (`ready` when it can be used). */
export async function readPidFile(place: Pick<Place, 'pgdata'>) {
  const lines = (await readFile(pidFile(place), 'utf8').catch(() => '')).split('\n');
  return { pid: Number(lines[0]) || undefined, port: Number(lines[3]), status: lines[7]?.trim() };
}

const logPath = (place: Place) => join(place.dataDir, 'postgres.log');

/** The file is opened here and handed over, so the account needs no access to the folder. The old one is kept once. */
async function openLog(place: Place): Promise<FileHandle> {
  const info = await stat(logPath(place)).catch(() => undefined);
  if (info !== undefined && info.size > LOG_BYTES) await rename(logPath(place), `${logPath(place)}.1`);
  return open(logPath(place), 'a', 0o600);
}

async function tail(place: Place, from: number): Promise<string> {
  const text = await readFile(logPath(place));
  return text.subarray(from).toString().trim().split('\n').slice(-12).join('\n');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
