/**
 * Runs the tests. `npm test` runs all but the slow ones; `npm test -- FILE ...` runs some (further arguments go to
 * ava). The whole run uses one throw-away PostgreSQL, or the one in `TEST_POSTGRES_URL`. Every test file clones its own
 * database from a migrated template, or shares a service with other files. The last line of the output is `N passed, N
 * failed[, N skipped]`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { withSharedApp } from './shared-app.ts';
import { onTestDatabase } from './test-database.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
// Many test files, and the programs that they start, load most of the server. Caching the compiled code halves the
// time.
const compileCache = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules', '.cache', 'runward-test'),
};
/**
 * Slow tests kill processes, cut connections, drive a browser, install packages, send requests to every endpoint, fill
 * up to a limit, or compare many generated cases with a reference.
 */
const quick = ['**/*.test.ts', '!**/*.slow.test.ts'];
const given = process.argv.slice(2);
const chosen = given.some((argument) => !argument.startsWith('-')) ? given : [...given, ...quick];
const interrupted = new AbortController();
for (const signal of SIGNALS) process.on(signal, () => interrupted.abort(signal));

const { code, summary } = await onTestDatabase((env) => withSharedApp({ ...compileCache, ...env }, runAva)).catch(
  (error: unknown) => {
    console.error(error);
    return { code: 1, summary: { passed: 0, failed: 1, skipped: 0 } };
  },
);
const skipped = summary.skipped > 0 ? `, ${summary.skipped} skipped` : '';
process.stdout.write(`${summary.passed} passed, ${summary.failed} failed${skipped}\n`);
process.exitCode = code;

async function runAva(env: Record<string, string>): Promise<{ code: number; summary: Summary }> {
  interrupted.signal.throwIfAborted();
  const cli = fileURLToPath(new URL('cli.js', import.meta.resolve('ava')));
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'] ? ['--color'] : [];
  const config = join(root, 'ava.config.ts');
  const ava = spawn(process.execPath, [cli, '--config', config, ...colour, ...chosen], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  interrupted.signal.addEventListener('abort', () => ava.kill(interrupted.signal.reason));
  let output = '';
  ava.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const [exitCode] = await once(ava, 'close');
  const code = typeof exitCode === 'number' ? exitCode : 1;
  return { code, summary: summarise(stripVTControlCharacters(output), code) };
}

/**
 * Counts the results in ava's standard output, to which tests cannot write. The summary is below the last ruled line.
 * If a test failed, it leaves out the passed tests. Those are then counted from their own lines, above the first ruled
 * line.
 */
function summarise(output: string, code: number): Summary {
  const lines = output.split('\n');
  const end = lines.slice(lines.findLastIndex(isRule) + 1);
  const run = lines.slice(0, lines.some(isRule) ? lines.findIndex(isRule) : lines.length);

  const passed = run.filter((line) => /^ {2}[✔√] /.test(line)).length;
  const failed =
    sum(end, /^ {2}(\d+) (?:tests?|hooks?) failed$/) +
    sum(end, /^ {2}(\d+) (?:unhandled rejections?|uncaught exceptions?)$/) +
    sum(end, /^ {2}(\d+) tests? remained pending after a timeout$/) +
    sum(run, /^ {2}[✘×] (\d+) tests? remaining in /) +
    run.filter((line) => /^ {2}[✘×] (?:No tests found in|Internal error|Exiting due to process\.exit)/.test(line))
      .length;
  // If nothing was counted, something else went wrong: ava itself failed, or a worker was killed.
  return { passed, failed: code === 0 ? 0 : Math.max(failed, 1), skipped: sum(end, /^ {2}(\d+) tests? skipped$/) };
}

function isRule(line: string): boolean {
  return /^ {2}[─-]$/.test(line);
}

function sum(lines: string[], pattern: RegExp): number {
  return lines.reduce((total, line) => total + Number(pattern.exec(line)?.[1] ?? 0), 0);
}
