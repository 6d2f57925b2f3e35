import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const repository = join(import.meta.dirname, '..', '..');

/** A program that was started, and what it has printed so far, errors included. */
export interface Program {
  readonly process: ChildProcess;
  readonly output: () => string;
  /** Settles when it ended, with its exit code (null when a signal ended it). */
  readonly ended: Promise<number | null>;
}

/** Starts a program below `examples/` as a real process, without a build. */
export function startExample(path: string, args: readonly string[], env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, ['--conditions=@runward/source', join(repository, 'examples', path), ...args], {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return {
    process: child,
    output: () => text,
    ended: once(child, 'close').then(([code]: (number | null)[]) => code ?? null),
  };
}

/** Waits until a program has printed something that matches, and answers that. */
export async function printed(program: Program, pattern: RegExp): Promise<string> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const [match] = pattern.exec(program.output()) ?? [];
    if (match !== undefined) return match;
    await pause(50);
  }
  throw new Error(`Nothing matches ${String(pattern)} in:\n${program.output()}`);
}
