import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';
import ava from 'ava';
import type { LockFile } from '../pack/lock-file.ts';
import { blocksOf, commandLinesOf } from './guides/blocks.ts';
import { install } from './packed/installation.ts';
import { startLine, startPackedApp } from './packed/service.ts';

const installed = await install();
if (typeof installed === 'string') ava.skip(`packed packages: ${installed}`, () => {});
else testPackages(installed);

function testPackages({ service, global, ...installation }: Exclude<typeof installed, string>): void {
  const lines = blocksOf('packages/server/README.md').flatMap(commandLinesOf);
  const starting = lines.filter((line) => line.startsWith('npx runward-server') && !line.includes('--help'));

  ava.after.always(() => installation[Symbol.asyncDispose]());

  ava('the service is installed with the versions and hashes of package-lock.json, in the same places', (t) => {
    const lock = packagesOf(join(repository, 'package-lock.json'));
    const found = Object.entries(packagesOf(join(service, 'node_modules', '.package-lock.json')));
    const others = found.filter(([path]) => !/^node_modules\/@runward\/[^/]+$/.test(path));
    t.true(others.length > 200);
    for (const [path, { version, integrity }] of others) {
      const entry = lock[path.replace(/^node_modules\/@runward\//, 'packages/')];
      t.deepEqual([version, integrity], [entry?.version, entry?.integrity], path);
    }
  });

  for (const line of lines.filter((each) => each.endsWith(' --help'))) {
    ava(`${line} prints the usage`, async (t) => {
      const run = startLine(line, service);
      t.is(await run.ended, 0, run.output());
      t.regex(run.stdout(), new RegExp(`^Usage: ${line.split(' ')[1]} `));
    });
  }

  ava('the installed service starts with a PostgreSQL of its own, and ends cleanly on Ctrl-C', async (t) => {
    t.is(starting.length, 1);
    const running = await startPackedApp(service, starting[0] ?? '');
    t.is((await fetch(`${running.baseUrl}/health/ready`)).status, 200);
    const log = await running.stop();
    t.regex(log, /SIGINT received[^]*"stopped"/);
  });

  for (const [name, prefix] of [
    ['runward', global.cli],
    ['runward-mcp', global.mcp],
  ] as const) {
    ava(`${name}, installed globally, prints its usage and its version`, async (t) => {
      const [help, version] = ['--help', '--version'].map((option) =>
        startLine(`${prefix}/bin/${name} ${option}`, service),
      );
      t.is(await help?.ended, 0, help?.output());
      t.regex(help?.stdout() ?? '', new RegExp(`^Usage: ${name} `));
      t.is(await version?.ended, 0, version?.output());
      t.regex(version?.stdout() ?? '', /^\d+\.\d+\.\d+\n$/);
    });
  }
}

function packagesOf(path: string): LockFile['packages'] {
  return (JSON.parse(readFileSync(path, 'utf8')) as LockFile).packages;
}
