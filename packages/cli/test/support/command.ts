import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { run } from '../../src/index.ts';

/** The result of a command. `code` is null if a signal killed its process. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command is run with. */
export interface CommandOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The content of stdin; empty by default. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  readonly cacheDirectory?: string;
  /** The width of the terminal for stdout. Without it, stdout is a pipe. */
  readonly columns?: number;
}

/** A command that is running in this process. */
export interface RunningCommand {
  stdout(): string;
  stdoutBytes(): Buffer;
  stderr(): string;
  /** Stops it as Ctrl-C does. */
  interrupt(): void;
  readonly finished: Promise<Finished>;
}

const noProfiles = { RUNWARD_CONFIG: '/nonexistent/profiles.json' };

/** Starts `runward` inside this process. It gets no environment other than the given one. */
export function startCommand(
  args: readonly string[],
  { env, input, cwd, cacheDirectory, columns }: CommandOptions = {},
): RunningCommand {
  const [stdout, stderr] = [collect(), collect()];
  const stop = new AbortController();
  const finished = run(args, {
    env: { ...noProfiles, ...env },
    cwd: cwd ?? '/nonexistent',
    configDirectory: '/nonexistent',
    ...(cacheDirectory !== undefined && { cacheDirectory }),
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout: columns === undefined ? stdout.stream : Object.assign(stdout.stream, { isTTY: true, columns }),
    stderr: stderr.stream,
    signal: stop.signal,
  }).then((code) => ({ code, stdout: stdout.text(), stderr: stderr.text() }));
  return {
    stdout: stdout.text,
    stdoutBytes: stdout.bytes,
    stderr: stderr.text,
    interrupt: () => stop.abort('SIGINT'),
    finished,
  };
}

/** Runs `runward` in this process. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  return startCommand(args, options).finished;
}

function collect() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const bytes = () => Buffer.concat(chunks);
  return { stream, bytes, text: () => bytes().toString() };
}

/** The program and arguments that start the command from its sources. */
export const command: readonly string[] = [
  process.execPath,
  '--conditions=@runward/source',
  fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
];

/** Starts `runward` as a separate process, without the settings of the user who runs the tests. */
export function spawnCommand(args: readonly string[], { env, input, cwd }: CommandOptions = {}): ChildProcess {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, ...args], { cwd, env: environment(env), stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input ?? '');
  return child;
}

/** The environment of a command's process. */
export function environment(env: CommandOptions['env'] = {}): Record<string, string | undefined> {
  return { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(tmpdir(), 'runward-cli-test'), ...noProfiles, ...env };
}

/** The result of a process, when it has ended. */
export async function finished(child: ChildProcess): Promise<Finished> {
  if (!child.stdout || !child.stderr) throw new Error('The output of the command must be piped.');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number | null, stdout, stderr };
}

/** A directory that is removed after the test. */
export async function newFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runward-cli-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
