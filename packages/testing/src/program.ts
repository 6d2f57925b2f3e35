import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { until } from './until.ts';

/** The folder of the repository. */
export const repository = dirname(dirname(dirname(import.meta.dirname)));

/** A program that runs as a separate process. */
export interface Program {
  readonly process: ChildProcess;
  /** What it has printed so far on its standard output. */
  stdout(): string;
  /** What it has printed so far on its standard error. */
  stderr(): string;
  /** What it has printed so far on both, in the order it arrived. */
  output(): string;
  /**
   * Resolves when the program has ended and its output is complete. The result is the exit code, or null if a signal
   * ended it.
   */
  readonly ended: Promise<number | null>;
  /**
   * Waits until the output matches, and resolves with the first match. If the program ends first, fails with its
   * output.
   */
  printed(pattern: RegExp): Promise<string>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** How a program is started. */
export interface ProgramOptions {
  /** Its whole environment apart from `PATH`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The working folder. Default: the repository. */
  readonly cwd?: string;
  /** The folder of the repository that has the program. Default: this repository. */
  readonly root?: string | undefined;
  /** The standard input. Default: empty. */
  readonly input?: string;
  /** Whether signals also reach the programs that it starts, like Ctrl-C in a terminal. Default: false. */
  readonly asGroup?: boolean;
}

/** The environment variables that programs inherit: where commands are, and where Node caches compiled code. */
export function inherited(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** Starts a TypeScript program of the repository from its sources: `startProgram('packages/server/src/bin.ts')`. */
export function startProgram(file: string, args: readonly string[] = [], options: ProgramOptions = {}): Program {
  return startCommand(
    process.execPath,
    ['--conditions=@runward/source', join(options.root ?? repository, file), ...args],
    options,
  );
}

/** Starts a command that is found through `PATH`. */
export function startCommand(
  command: string,
  args: readonly string[],
  { env = {}, cwd = repository, input = '', asGroup = false }: ProgramOptions = {},
): Program {
  const child = spawn(command, args, { cwd, env: { ...inherited(), ...env }, detached: asGroup });
  const printed = { stdout: '', stderr: '', both: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      printed[name] += chunk;
      printed.both += chunk;
    });
  }
  // A program that ends without reading its input closes the pipe.
  child.stdin.on('error', () => {}).end(input);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    output: () => printed.both,
    ended,
    printed: (pattern) =>
      until(
        () => {
          const [match] = pattern.exec(printed.both) ?? [];
          // Its last output may arrive after its end.
          if (!match && child.stdout.closed && child.stderr.closed)
            throw new Error(`The program ended without printing ${String(pattern)}:\n${printed.both}`);
          return match;
        },
        `output that matches ${String(pattern)}`,
      ),
    end: (signal) => {
      if (asGroup && child.pid !== undefined) process.kill(-child.pid, signal);
      else child.kill(signal);
      return ended;
    },
  };
}

/** Whether a process has ended. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
