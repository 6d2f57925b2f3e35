import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { run as runRunward } from '@runward/cli';
import { run as runAdmin } from '@runward/server/internal/admin/run';
import { inherited } from '@runward/testing/program';
import { programs } from './table.ts';

/** How a command line ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where command lines run. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Stage {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Commands that follow events until Ctrl-C. They are stopped when they print this. */
export const isFollowing = /Press Ctrl-C to stop/;

/** Runs a command line as a shell would. */
export type RunLine = (line: string, place: Place) => Promise<Ended>;

/**
 * Runs a command line with the sources. `runward` and `npm run admin` run in this process, which takes a tenth of the
 * time of separate processes. `sh` runs everything else.
 */
export async function runLine(line: string, place: Place): Promise<Ended> {
  let last: Ended = { code: 0, stdout: '', stderr: '' };
  for (const list of split(line, '&&')) {
    let stage: Stage = { code: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    for (const command of split(list, '|')) {
      const ended = await runStage(command, stage.stdout, place);
      stage = { ...ended, code: stage.code || ended.code, stderr: Buffer.concat([stage.stderr, ended.stderr]) };
    }
    last = { code: stage.code, stdout: stage.stdout.toString(), stderr: stage.stderr.toString() };
    if (last.code !== 0) break;
  }
  return last;
}

async function runStage(command: string, piped: Buffer, place: Place): Promise<Stage> {
  const own = /^(?:(?:npm run (?:--silent )?)?(runward)(?: --)?|npm run (?:--silent )?(admin) --) (.*)$/.exec(command);
  if (own === null) return runShell(command, piped, place);
  const [, , admin, rest = ''] = own;
  const words = wordsOf(rest);
  const fileAfter = (operator: string) => {
    const at = words.indexOf(operator);
    return at === -1 ? undefined : words.splice(at, 2)[1];
  };
  const [source, target] = [fileAfter('<'), fileAfter('>')];
  const input = source === undefined ? piped : readFileSync(join(place.cwd, source));
  const ended = await runOwn(admin === undefined ? runRunward : runAdmin, words, input, place);
  if (target === undefined) return ended;
  writeFileSync(join(place.cwd, target), ended.stdout);
  return { ...ended, stdout: Buffer.alloc(0) };
}

type Run = typeof runRunward & typeof runAdmin;

async function runOwn(
  run: typeof runRunward | typeof runAdmin,
  args: readonly string[],
  input: Buffer,
  { cwd, env }: Place,
): Promise<Stage> {
  const stop = new AbortController();
  const stdout = collect();
  const stderr = collect((text) => {
    if (isFollowing.test(text)) stop.abort('SIGINT');
  });
  const io = { env, cwd, configDirectory: join(cwd, '.config'), signal: stop.signal };
  const code = await (run as Run)(args, {
    ...io,
    stdin: Readable.from([input]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  });
  // After Ctrl-C, with which a reader stops a following command, the exit code is 130.
  return { code: stop.signal.aborted ? 0 : code, stdout: stdout.bytes(), stderr: stderr.bytes() };
}

function collect(onWrite: (text: string) => void = () => {}) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      onWrite(chunk.toString());
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks) };
}

async function runShell(command: string, input: Buffer, { cwd, env }: Place): Promise<Stage> {
  if (!programs.test(`${command} `))
    throw new Error(`${command}: name the line in table.ts, or the program in \`programs\` there.`);
  const { PATH, ...rest } = inherited();
  const child = spawn('sh', ['-ec', command], { cwd, env: { ...rest, ...env, PATH: `${join(cwd, 'bin')}:${PATH}` } });
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code: code ?? 1, stdout, stderr };
}

/** Splits a line at an operator outside of quotes. */
function split(line: string, operator: string): string[] {
  const parts = [...line.matchAll(/"[^"]*"|'[^']*'|&&|\||[^"'&|]+|&/g)].map(([part]) => part);
  const groups: string[][] = [[]];
  for (const part of parts) {
    if (part === operator) groups.push([]);
    else groups.at(-1)?.push(part);
  }
  return groups.map((group) => group.join('').trim());
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  );
}
