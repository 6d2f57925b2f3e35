import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, startCommand } from '@runward/testing/program';
import test from 'ava';
import type { LockFile } from '../pack/lock-file.ts';
import { blocksOf, commandLinesOf } from './guides/blocks.ts';
import { testPages } from './guides/test-pages.ts';
import { testConsumers } from './packed/consumers.ts';
import { install, type Installation } from './packed/installation.ts';
import { testMcp } from './packed/mcp.ts';
import { missingGlyphs, testOptional } from './packed/optional.ts';
import { testSbom } from './packed/sbom.ts';
import { startPackedApp, type PackedApp } from './packed/service.ts';
import { runLineWith, startLine } from './packed/shell.ts';

const installed = await install();
if (typeof installed === 'string') test.skip(`packed packages: ${installed}`, () => {});
else testInstalled(installed);

function testInstalled(installation: Installation): void {
  const { service, clients, rules, global } = installation;
  const binOf = (prefix: string) => join(prefix, 'bin');
  const lines = blocksOf('packages/server/README.md').flatMap(commandLinesOf);
  const starting = lines.find((line) => line === 'npx runward-server') ?? '';
  const app = {} as PackedApp;

  test.before(async () => {
    Object.assign(app, await startPackedApp(service, starting));
  });
  test.after.always('the installed service ends cleanly on Ctrl-C', async (t) => {
    const log = await app.stop?.();
    await installation[Symbol.asyncDispose]();
    t.regex(log ?? '', /SIGINT received[^]*"stopped"/);
    t.regex(log ?? '', missingGlyphs);
  });

  test('the service is installed with the versions and hashes of package-lock.json, in the same places', (t) => {
    const lock = packagesOf(join(repository, 'package-lock.json'));
    const found = Object.entries(packagesOf(join(service, 'node_modules', '.package-lock.json')));
    const others = found.filter(([path]) => !/^node_modules\/@runward\/[^/]+$/.test(path));
    t.true(others.length > 200);
    for (const [path, { version, integrity }] of others) {
      const entry = lock[path.replace(/^node_modules\/@runward\//, 'packages/')];
      t.deepEqual([version, integrity], [entry?.version, entry?.integrity], path);
    }
  });

  test('the installed service serves the reference and its script, which is no package of its own', async (t) => {
    const page = await (await fetch(`${app.baseUrl}/docs`)).text();
    const [, path = ''] = /<script src="(\/docs\/reference\.[^"]+)"/.exec(page) ?? [];
    const script = await fetch(`${app.baseUrl}${path}`);
    t.is(script.status, 200);
    t.regex(script.headers.get('cache-control') ?? '', /immutable/);
    t.regex(await script.text(), /createApiReference/);
    t.false(existsSync(join(service, 'node_modules', '@scalar')));
  });

  for (const line of lines.filter((each) => each.endsWith(' --help'))) {
    test(`${line} prints the usage`, async (t) => {
      const run = startLine(line, { cwd: service });
      t.is(await run.ended, 0, run.output());
      t.regex(run.stdout(), new RegExp(`^Usage: ${line.split(' ')[1]} `));
    });
  }

  for (const [name, prefix] of [
    ['runward', global.cli],
    ['runward-mcp', global.mcp],
  ] as const) {
    test(`${name}, installed globally, prints its usage and its version`, async (t) => {
      const shell = { cwd: service, commands: [binOf(prefix)] };
      const [help, version] = ['--help', '--version'].map((option) => startLine(`${name} ${option}`, shell));
      t.is(await help?.ended, 0, help?.output());
      t.regex(help?.stdout() ?? '', new RegExp(`^Usage: ${name} `));
      t.is(await version?.ended, 0, version?.output());
      t.regex(version?.stdout() ?? '', /^\d+\.\d+\.\d+\n$/);
    });
  }

  const folders = { cli: join(global.cli, 'lib'), contract: rules, engine: rules };
  // Run one after the other, because each starts processes, and the service must respond in time on a slow machine.
  testPages(test.serial, app, {
    runLine: runLineWith([binOf(global.cli), join(service, 'node_modules', '.bin')]),
    startModule: (code, name) =>
      startCommand(process.execPath, ['--input-type=module-typescript', '--eval', code], { cwd: folders[name] }),
  });
  testOptional(test.serial, app, service);
  testConsumers(test.serial, app, clients);
  testMcp(test.serial, app, global.mcp);
  testSbom(test, service);
}

function packagesOf(path: string): LockFile['packages'] {
  return (JSON.parse(readFileSync(path, 'utf8')) as LockFile).packages;
}
