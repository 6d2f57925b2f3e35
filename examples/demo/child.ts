import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

/** The folder all paths of the demo start from. */
export const repository = join(import.meta.dirname, '..', '..');

/** Arguments that make Node run a program of this repository without a build. */
export const fromSource = (program: string) => ['--conditions=@runward/source', join(repository, program)];

/** How a process ended: its exit code, or the signal that ended it. */
export type End = number | NodeJS.Signals;

/** A program of this repository that runs as a process of its own. */
export interface Child {
  readonly process: ChildProcess;
  readonly logFile: string;
  readonly ended: Promise<End>;
  /** Asks it to end (SIGTERM), and makes it end when it has not after 30 s. Answers how it ended. */
  stop(): Promise<End>;
}

/** Starts a program; what it prints goes to `logFile`. With `ipc` it can send messages. */
export function startChild(
  program: string,
  options: { env: NodeJS.ProcessEnv; cwd: string; logFile: string; ipc?: boolean },
): Child {
  const log = openSync(options.logFile, 'w');
  const child = spawn(process.execPath, fromSource(program), {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', log, log, ...(options.ipc ? ['ipc' as const] : [])],
  });
  closeSync(log);

  // Whatever ends this process must not leave the other one behind.
  const abandon = () => child.kill();
  process.once('exit', abandon);
  const ended = once(child, 'exit').then(([code, signal]: (End | null)[]): End => code ?? signal ?? 1);
  void ended.finally(() => process.off('exit', abandon));

  const stop = async () => {
    child.kill();
    const patience = setTimeout(() => child.kill('SIGKILL'), 30_000);
    return ended.finally(() => clearTimeout(patience));
  };
  return { process: child, logFile: options.logFile, ended, stop };
}
