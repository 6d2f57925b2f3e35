import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@runward/testing/program';
import test from 'ava';

const tsc = join(repository, 'node_modules', '.bin', 'tsc');

const program = `
import { createClient, isNotFound, type EventOf, type Run, type RunTask } from '@runward/sdk';

const runward = createClient();

export async function firstTask(runId: string): Promise<RunTask | undefined> {
  const run: Run = await runward.runs.get(runId, { include: 'fieldValues' });
  return run.tasks[0];
}

export const runOf = (event: EventOf<'run.completed'>): string => event.data.runId;
export const isGone = (error: unknown): boolean => isNotFound(error);
// @ts-expect-error -- a query takes numbers
void runward.runs.list({ limit: '5' });
`;

/** A program of the examples in the comments of the generated methods. */
function examplesOf(folder: string): string {
  const texts = globSync('*.ts', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'));
  const examples = texts.flatMap((text) =>
    [...text.matchAll(/^ {3}\* @example\n([^]*?)^ {3}\*\/$/gm)].map(([, code = '']) =>
      code.replaceAll(/^ {3}\* ?/gm, ''),
    ),
  );
  const ids = new Set(examples.join('\n').match(/\b\w+Id\b(?=[,)]| \})/g));
  return `import { createClient } from '@runward/sdk';
const runward = createClient();
declare const ${[...ids, 'token', 'slug'].map((name) => `${name}: string`).join(', ')};
${examples.map((code) => `{\n${code}}`).join('\n')}
export {};
`;
}

/** The result of a command: its exit code and what it printed. */
async function run(command: string, args: readonly string[], cwd: string): Promise<readonly [number, string]> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd });
    return [0, stdout];
  } catch (error) {
    const { code, stdout } = error as { readonly code: number; readonly stdout: string };
    return [code, stdout];
  }
}

test('the declarations of @runward/sdk need no other package, in ES modules and in CommonJS, and their examples compile', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'runward-declarations-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const installed = join(folder, 'node_modules', '@runward', 'sdk');
  mkdirSync(installed, { recursive: true });
  const source = join(repository, 'packages', 'sdk');
  cpSync(join(source, 'package.json'), join(installed, 'package.json'));
  const build = ['-p', source, '--composite', 'false', '--outDir', join(installed, 'dist')];
  t.deepEqual(await run(tsc, build, source), [0, '']);

  for (const type of ['module', 'commonjs']) {
    const consumer = join(folder, type);
    mkdirSync(consumer);
    writeFileSync(join(consumer, 'package.json'), JSON.stringify({ type }));
    writeFileSync(join(consumer, 'program.ts'), program);
    writeFileSync(join(consumer, 'examples.mts'), examplesOf(join(source, 'src', 'generated')));
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['node20', 'node16'],
      ['esnext', 'bundler'],
    ] as const) {
      const options = { module, moduleResolution, target: 'es2022', lib: 'es2022,dom', types: '' };
      const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
      const checked = await run(
        tsc,
        ['--noEmit', '--strict', '--skipLibCheck', 'false', ...args, 'program.ts', 'examples.mts'],
        consumer,
      );
      t.deepEqual(checked, [0, ''], `${module} ${moduleResolution} ${type}`);
    }
  }
});
