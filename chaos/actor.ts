import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Exit } from './evidence.ts';
import { freePort } from '@runward/testing/ports';

const program = join(import.meta.dirname, '..', 'packages', 'server', 'src', 'main.ts');
const longestStartMs = 90_000;

/** A process of the service that is started again whenever it ends, as a supervisor does, until it is stopped. */
export interface Actor {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly baseUrl: string;
  /** Waits until it can work. */
  ready(): Promise<void>;
  /** kill -9, at whatever it is doing; settles when it can work again. */
  kill(): Promise<void>;
  /** SIGTERM, then a new start; settles when it can work again. */
  replace(): Promise<void>;
  /** SIGTERM, for good. */
  stop(): Promise<void>;
}

/** What an actor is started with. */
export interface ActorOptions {
  readonly name: string;
  readonly role: Actor['role'];
  readonly env: Readonly<Record<string, string>>;
  /** Its working folder, where it logs too. */
  readonly folder: string;
  /** Told of every end. */
  readonly onExit: (exit: Exit) => void;
}

/** Starts a process of the service, on a port it keeps. */
export async function startActor({ name, role, env, folder, onExit }: ActorOptions): Promise<Actor> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  let child: ChildProcess;
  let cause: Exit['cause'] = null;
  let askedAt = 0;
  let isOver = false;
  let wasReady = false;
  // Whatever ends this process must not leave the others behind.
  process.once('exit', () => child.kill('SIGKILL'));

  function start(): void {
    const log = openSync(join(folder, `${name.replace(' ', '-')}.log`), 'a');
    const startedAt = Date.now();
    wasReady = false;
    child = spawn(process.execPath, ['--conditions=@runward/source', program], {
      cwd: folder,
      env: { PATH: process.env['PATH'], TZ: 'UTC', ...env, ROLE: role, PORT: String(port) },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.once('exit', (code, signal) => {
      const at = Date.now();
      const tookMs = cause === 'stop' ? at - askedAt : 0;
      onExit({ name, startedAt, at, code, signal, cause, tookMs, wasReady });
      const wait = cause === null ? 500 : 0;
      cause = null;
      if (!isOver) setTimeout(() => isOver || start(), wait);
    });
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ended = child;
    if (ended.exitCode !== null || ended.signalCode !== null) return;
    cause = signal === 'SIGKILL' ? 'kill' : 'stop';
    askedAt = Date.now();
    const exited = once(ended, 'exit');
    ended.kill(signal);
    const patience = setTimeout(() => ended.kill('SIGKILL'), 30_000);
    await exited.finally(() => clearTimeout(patience));
    // The next one starts in a moment; until then the old one must not be taken for it.
    await pause(10);
  }

  async function ready(): Promise<void> {
    for (const deadline = Date.now() + longestStartMs; Date.now() < deadline; await pause(100)) {
      const asked = child;
      const answer = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
      if (answer?.ok !== true || asked !== child || asked.exitCode !== null) continue;
      wasReady = true;
      return;
    }
    throw new Error(`${name} was not ready within ${longestStartMs / 1_000} s. See its log in ${folder}.`);
  }

  start();
  return {
    name,
    role,
    baseUrl,
    ready,
    kill: async () => {
      await end('SIGKILL');
      await ready();
    },
    replace: async () => {
      await end('SIGTERM');
      await ready();
    },
    stop: async () => {
      isOver = true;
      await end('SIGTERM');
    },
  };
}
