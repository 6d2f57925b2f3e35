import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync, existsSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { repository, startCommand, startProgram } from '@runward/testing/program';
import test from 'ava';

const main = 'packages/server/src/bin.ts';

test('runward-server prints its usage and its version, and rejects other arguments, without starting', async (t) => {
  const [help, version, unknown] = [['--help'], ['--version'], ['--port', '80']].map((args) =>
    startProgram(main, args),
  );
  t.is(await help?.ended, 0);
  t.regex(help?.stdout() ?? '', /^Usage: runward-server[^]*DATABASE_URL[^]*WEBHOOK_RETRY_SCHEDULE/);
  t.is(await version?.ended, 0);
  t.regex(version?.stdout() ?? '', /^\d+\.\d+\.\d+\n$/);
  t.is(await unknown?.ended, 2);
  t.is(unknown?.stdout(), '');
  t.regex(unknown?.stderr() ?? '', /^error: unknown argument "--port"; .*--help\n$/);
});

/** A Node older than 22 on the PATH, for example from the system. */
const oldNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((path) => existsSync(path) && majorOf(path) < 22);
const onOldNode = oldNode === undefined ? test.skip : test;

function majorOf(path: string): number {
  return Number(/^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1] ?? Infinity);
}

for (const [name, file, folder] of [
  ['runward', 'bin.ts', 'packages/cli'],
  ['runward-mcp', 'bin.ts', 'packages/mcp'],
  ['runward-server', 'bin.ts', 'packages/server'],
  ['runward-admin', 'admin/bin.ts', 'packages/server'],
] as const) {
  onOldNode(`${name} says which Node it needs when an older one runs it`, async (t) => {
    // Does to the two files what the build does: removes the types, and makes the imports end in .js.
    const target = mkdtempSync(join(tmpdir(), 'runward-bin-'));
    t.teardown(() => rmSync(target, { recursive: true }));
    writeFileSync(join(target, 'package.json'), '{ "type": "module" }');
    for (const each of [file, 'required-node.ts']) {
      const source = stripTypeScriptTypes(readFileSync(join(repository, folder, 'src', each), 'utf8'));
      const path = join(target, each.replace('.ts', '.js'));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, source.replaceAll(/\.ts'/g, ".js'"));
    }
    const run = startCommand(oldNode ?? '', [join(target, file.replace('.ts', '.js'))]);
    t.is(await run.ended, 1, run.output());
    const { engines } = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    t.true(
      run.stderr().startsWith(`${name} needs Node ${engines.node.slice(2)} or newer, and this is Node `),
      run.output(),
    );
  });
}
