import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild, type Child } from '@runward/testing/child';
import { freePort } from '@runward/testing/ports';
import { hasEnded } from '@runward/testing/program';
import { until } from '@runward/testing/until';
import type { Exit } from '../history/process-history.ts';

const maxStartSeconds = 90;
const restartDelayMs = 500;

/** A service process. When it ends, it is started again, as by a supervisor, until it is stopped. */
export interface SupervisedProcess {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly baseUrl: string;
  /** The process as it runs now. */
  current(): Child;
  /** Waits until it is ready. */
  ready(): Promise<void>;
  /** Kills the process with SIGKILL. Resolves when it is ready again. */
  kill(): Promise<void>;
  /** Stops the process with SIGTERM and starts it with the next version. Resolves when it is ready again. */
  replace(): Promise<void>;
  /** SIGTERM without a new start. */
  stop(): Promise<void>;
}

/** How a process is started. */
export interface SupervisedProcessOptions {
  readonly name: string;
  readonly role: SupervisedProcess['role'];
  readonly env: Readonly<Record<string, string>>;
  /** The folders of the repositories whose code it runs: of the first one at first, then in turn. */
  readonly versions: readonly string[];
  /** Options of Node itself. */
  readonly flags: readonly string[];
  /** The working folder, which also has the log. */
  readonly folder: string;
  /** Called each time it ends. */
  readonly onExit: (exit: Exit) => void;
}

/** Starts a process of the service, on a port it keeps. */
export async function startSupervised(options: SupervisedProcessOptions): Promise<SupervisedProcess> {
  const { name, role, env, versions, flags, folder, onExit } = options;
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const logFile = join(folder, `${name.replace(' ', '-')}.log`);
  let child: Child;
  let cause: Exit['cause'] = null;
  let signalledAt = 0;
  let isOver = false;
  let turn = 0;
  let wasReady = false;
  process.once('exit', () => child.process.kill('SIGKILL'));

  function start(): void {
    const startedAt = Date.now();
    wasReady = false;
    child = startChild('packages/server/src/bin.ts', {
      flags,
      cwd: folder,
      root: versions[turn % versions.length],
      env: { TZ: 'UTC', ...env, ROLE: role, PORT: String(port) },
      logFile,
    });
    child.process.once('exit', (code, signal) => {
      const at = Date.now();
      const tookMs = cause === 'stop' ? at - signalledAt : 0;
      onExit({ name, startedAt, at, code, signal, cause, tookMs, wasReady });
      const delayMs = cause === null ? restartDelayMs : 0;
      cause = null;
      if (!isOver) setTimeout(() => isOver || start(), delayMs);
    });
  }

  async function end(by: 'kill' | 'stop'): Promise<void> {
    const ending = child;
    if (hasEnded(ending.process)) return;
    cause = by;
    signalledAt = Date.now();
    if (by === 'kill') ending.process.kill('SIGKILL');
    await (by === 'kill' ? ending.ended : ending.stop());
    // The next process starts in a moment. Until then, `child` is the ended one.
    await pause(10);
  }

  async function ready(): Promise<void> {
    const isReady = async () => {
      const current = child;
      const response = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
      if (response?.ok === true && current === child && !hasEnded(current.process)) return true;
      await pause(100);
      return false;
    };
    await until(isReady, `${name} to be ready; see its log in ${folder}`, maxStartSeconds);
    wasReady = true;
  }

  start();
  return {
    name,
    role,
    baseUrl,
    current: () => child,
    ready,
    kill: async () => {
      await end('kill');
      await ready();
    },
    replace: async () => {
      turn += 1;
      await end('stop');
      await ready();
    },
    stop: async () => {
      isOver = true;
      await end('stop');
    },
  };
}
