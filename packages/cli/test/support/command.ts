import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';

/** What a command left behind. `code` is null when a signal ended it. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command is run with. */
export interface CommandOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The standard input; left out, it is empty. */
  readonly input?: string;
  readonly cwd?: string;
}

/** The program and arguments that run the command from its sources. */
export const command: readonly string[] = [
  process.execPath,
  '--conditions=@runward/source',
  fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
];

/** Starts `runward` as a process of its own, which shares no settings with the person who runs the tests. */
export function startCommand(args: readonly string[], { env, cwd }: CommandOptions = {}): ChildProcess {
  const [program = '', ...first] = command;
  return spawn(program, [...first, ...args], { cwd, env: environment(env), stdio: ['pipe', 'pipe', 'pipe'] });
}

/** The environment commands are run in. */
export function environment(env: CommandOptions['env'] = {}): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: join(tmpdir(), 'runward-cli-test'),
    RUNWARD_CONFIG: '/nonexistent/profiles.json',
    ...env,
  };
}

/** Runs `runward` to its end. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const child = startCommand(args, options);
  child.stdin?.end(options.input ?? '');
  return finished(child);
}

/** Waits for the end of a command. */
export async function finished(child: ChildProcess): Promise<Finished> {
  if (!child.stdout || !child.stderr) throw new Error('The output of the command must be piped.');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, stdout, stderr };
}

/** A folder that goes with the test. */
export async function newFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runward-cli-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
