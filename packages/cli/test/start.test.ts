import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { finished, newFolder, spawnCommand } from './support/command.ts';

/** A module that writes the URLs of all modules that a process has loaded to a file when the process ends. */
const recorder = (file: string) => `
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
process.on('exit', () => writeFileSync(${JSON.stringify(file)}, urls.join('\\n')));
`;

/** The modules that a command line loads. */
async function loaded(t: ExecutionContext, args: readonly string[]): Promise<string[]> {
  const file = join(await newFolder(t), 'modules.txt');
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(recorder(file))}`;
  const { stderr } = await finished(spawnCommand(args, { env: { NODE_OPTIONS } }));
  t.false(stderr.includes('node:internal'), stderr);
  return (await readFile(file, 'utf8')).split('\n');
}

const large =
  /\/node_modules\/(?:zod|@clack|ofetch|csv-parse|fast-string-width)\/|\/packages\/(?:contract|engine|sdk)\//;

for (const args of [
  ['--version'],
  ['-V'],
  ['--help'],
  ['runs', '--help'],
  ['complete', '--', 'ru'],
  ['complete', '--', 'runs', ''],
  ['complete', '--', 'portals', 'pages', ''],
]) {
  test(`runward ${args.join(' ')} loads neither schemas nor what only running commands need`, async (t) => {
    const modules = await loaded(t, args);
    t.true(modules.some((url) => url.endsWith('/program.ts')));
    t.deepEqual(
      modules.filter((url) => large.test(url)),
      [],
    );
  });
}

test('a command loads its own file, and neither schemas nor the files of other commands', async (t) => {
  const modules = await loaded(t, ['runs', 'list']);
  t.deepEqual(
    modules.flatMap((url) => /\/src\/commands\/(\w+\/(?!commands\.ts)[^/]+)$/.exec(url)?.[1] ?? []),
    ['runs/list.ts', 'runs/filters.ts'],
  );
  t.deepEqual(
    modules.filter((url) => /\/node_modules\/(?:zod|@clack)\/|\/packages\/contract\//.test(url)),
    [],
  );
  // The recorder sees schemas where they are needed.
  t.true((await loaded(t, ['api', 'GET', '/runs'])).some((url) => url.includes('/packages/contract/')));
});
