import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@runward/testing/ports';

const repository = join(import.meta.dirname, '..');
const longestStart = 60_000;
const longestStop = 30_000;

/** A program of this repository that runs as a process of its own. */
export interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Rejects when it ends before it was asked to. */
  readonly lost: Promise<never>;
  /** Asks it to end (SIGTERM), and makes it end when it has not after 30 s. */
  stop(): Promise<void>;
}

/** How a program is started. */
export interface Start {
  /** Path in the repository. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Of Node itself. */
  readonly flags?: readonly string[];
  /** Undefined takes a variable of this process away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its working folder: not the repository, where a .env file may be meant for another service. */
  readonly folder: string;
}

/** Starts a program; what it prints goes to standard error. */
export function startChild({ program, args = [], flags = [], env = {}, folder }: Start): Child {
  const child = fork(join(repository, program), args, {
    cwd: folder,
    env: { ...process.env, ...env },
    execArgv: [...flags, '--conditions=@runward/source'],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started.`);
  // Whatever ends this process must not leave the other one behind.
  const abandon = () => child.kill();
  process.once('exit', abandon);

  let asked = false;
  const ended = once(child, 'exit').then(() => process.off('exit', abandon));
  const lost = ended.then(() =>
    asked ? new Promise<never>(() => {}) : Promise.reject(new Error(`${program} ended.`)),
  );
  // Whoever waits for something else at the time hears of it later.
  lost.catch(() => {});
  const stop = async () => {
    asked = true;
    child.kill();
    const patience = setTimeout(() => child.kill('SIGKILL'), longestStop);
    await ended.finally(() => clearTimeout(patience));
  };
  return { process: child, pid, lost, stop };
}

/** The next message from a program. Throws where it ends instead. */
export async function nextMessage(child: Child): Promise<unknown> {
  const [message] = await Promise.race([once(child.process, 'message'), child.lost]);
  return message;
}

/** An HTTP server in a process of its own. */
export interface ServerChild extends Child {
  readonly baseUrl: string;
}

/** Starts a program that serves HTTP on the port in `PORT`, and waits until `path` answers with a success. */
export async function startServerChild(start: Start, path: string): Promise<ServerChild> {
  const port = await freePort();
  const child = startChild({ ...start, env: { ...start.env, PORT: String(port) } });
  const baseUrl = `http://127.0.0.1:${port}`;
  await Promise.race([untilReady(baseUrl + path), child.lost]);
  return { ...child, baseUrl };
}

async function untilReady(url: string): Promise<void> {
  for (const deadline = Date.now() + longestStart; Date.now() < deadline; await pause(50)) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error(`${url} gave no success within ${longestStart / 1000} s.`);
}
