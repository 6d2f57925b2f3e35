import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded, inherited, repository } from './program.ts';
import { until } from './until.ts';

const maxStopMs = 30_000;

/** How a process ended: its exit code, or the signal that ended it. */
export type End = number | NodeJS.Signals;

/**
 * A program of the repository that runs beside this process, with an IPC channel. It is killed when this process exits;
 * disposing it stops it.
 */
export interface Child extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<End>;
  /** Rejects if the program ends before `stop` is called. Never resolves. */
  readonly lost: Promise<never>;
  /** Resolves with the next message of the program. Rejects if the program ends first. */
  message(): Promise<unknown>;
  /** Sends SIGTERM, then SIGKILL after 30 s. Resolves when the program has ended. */
  stop(): Promise<End>;
}

/** How a child is started. */
export interface ChildOptions {
  readonly args?: readonly string[];
  /** Options of Node itself. */
  readonly flags?: readonly string[];
  /** Its whole environment apart from `PATH`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The working folder. Default: the repository. */
  readonly cwd?: string;
  /** The folder of the repository that has the program. Default: this repository. */
  readonly root?: string | undefined;
  /** Whether to run the sources of the packages (default) or the output of `npm run build`. */
  readonly fromSources?: boolean;
  /** A file to append the output to. Default: the standard error of this process. */
  readonly logFile?: string | undefined;
}

/** Starts a program of the repository: `startChild('packages/server/src/bin.ts')`. */
export function startChild(file: string, options: ChildOptions = {}): Child {
  const { args = [], flags = [], env = {}, cwd = repository, root = repository, fromSources = true, logFile } = options;
  const output = logFile === undefined ? 2 : openSync(logFile, 'a');
  const child = fork(join(root, file), args, {
    cwd,
    env: { ...inherited(), ...env },
    execArgv: [...flags, ...(fromSources ? ['--conditions=@runward/source'] : [])],
    stdio: ['ignore', output, output, 'ipc'],
  });
  if (logFile !== undefined) closeSync(output);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} could not be started.`);
  const killAtExit = () => child.kill();
  process.once('exit', killAtExit);

  let isStopping = false;
  const ended = once(child, 'exit').then(([code, signal]: (End | null)[]): End => {
    process.off('exit', killAtExit);
    return code ?? signal ?? 1;
  });
  const lost = ended.then((end) =>
    isStopping ? new Promise<never>(() => {}) : Promise.reject(new Error(`${file} ended (${end}).`)),
  );
  // Not everyone who starts a child waits for this.
  lost.catch(() => {});
  const stop = () => {
    isStopping = true;
    child.kill();
    const timeout = setTimeout(() => child.kill('SIGKILL'), maxStopMs);
    return ended.finally(() => clearTimeout(timeout));
  };
  return {
    process: child,
    pid,
    ended,
    lost,
    message: async () => {
      const [message] = await Promise.race([once(child, 'message'), lost]);
      return message as unknown;
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}

/** Waits until a GET of `url` succeeds, which `child` serves. Rejects if the child ends first. */
export async function untilServing(url: string, child: Child, seconds = 60): Promise<void> {
  const isServing = async () => {
    if (hasEnded(child.process)) throw new Error(`It ended (${await child.ended}) before it served ${url}.`);
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    return response?.ok;
  };
  await until(isServing, `a success from ${url}`, seconds);
}
