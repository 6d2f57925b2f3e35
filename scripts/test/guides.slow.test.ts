import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, type Endpoint } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { repository, startCommand } from '@runward/testing/program';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { blocksOf, isNamed, pages, placeOf, textOf } from './guides/blocks.ts';
import { given, namesModule, programOf } from './guides/programs.ts';
import { bodies, outputs } from './guides/samples.ts';
import { runLine } from './guides/shell.ts';
import { linesNotRun, notRun, runElsewhere } from './guides/table.ts';
import { linesOf, testPages } from './guides/test-pages.ts';

const app = useSharedApp(test);
const all = pages.flatMap(blocksOf);

test('every block of code is run, checked, or named with the reason why it is not', (t) => {
  const tables = [
    ...runElsewhere,
    ...notRun,
    ...bodies,
    ...outputs.map(({ page, start }) => [page, start, ''] as const),
  ];
  const isNamedIn = (block: (typeof all)[number]) => tables.some((row) => isNamed(block, row));
  const strays = all.filter((block) => !['sh', 'ts', 'http'].includes(block.language) && !isNamedIn(block));
  t.deepEqual(strays.map(placeOf), [], 'See scripts/test/guides/table.ts.');
  const stale = tables.filter((row) => !all.some((block) => isNamed(block, row)));
  t.deepEqual(stale.map(String), [], 'No block begins like this.');
  const lines = pages.flatMap(linesOf).map(({ line }) => line);
  t.deepEqual(
    linesNotRun.filter(([pattern]) => !lines.some((line) => pattern.test(line))),
    [],
    'No command line is like this.',
  );
});

test('a test that runs blocks names the page of the blocks', (t) => {
  for (const [page, start, path] of runElsewhere) {
    const file = join(repository, path);
    t.true(existsSync(file), path);
    t.regex(
      readFileSync(file, 'utf8'),
      new RegExp(page.replace(/^(?:.*\/)?/, '').replace('README.md', 'README|readme')),
      start,
    );
  }
});

testPages(test, app, {
  runLine,
  startModule: (code) =>
    startCommand(process.execPath, ['--conditions=@runward/source', '--input-type=module-typescript', '--eval', code]),
});

test('the programs of docs/guides/side-by-side.md run', async (t) => {
  const { apiKey } = await newOrganization(app);
  const program = programOf('docs/guides/side-by-side.md', given).replace(/^import \{ names \}.*$/m, '');
  // Both are one module here, whose imports must not repeat each other.
  const imports = /^import \{ createClient \} from '@runward\/sdk';$/m;
  const code = `${namesModule.replaceAll(/^export /gm, '')}\n${program.replace(imports, '')}`;
  const run = startCommand(
    process.execPath,
    ['--conditions=@runward/source', '--input-type=module-typescript', '--eval', code],
    { env: { RUNWARD_API_KEY: apiKey, RUNWARD_BASE_URL: app.baseUrl } },
  );
  t.is(await run.ended, 0, run.output());
});

test('JSON that is a body fits the contract', (t) => {
  for (const [page, start, schema] of bodies) {
    const text = textOf(page, start).replaceAll('"…"', '"019a5b0e-6a2f-7c1d-9a52-2f0f6c1d3e41"');
    const { error } = schema.safeParse(JSON.parse(text));
    t.is(error, undefined, `${page}: ${start}`);
  }
});

test('requests that pages show exist', (t) => {
  const endpoints = Object.values(contract).flatMap((group) => Object.values(group as Record<string, Endpoint>));
  const known = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  const shown = all.filter(({ language }) => language === 'http').flatMap(({ text }) => text.trim().split('\n'));
  t.true(shown.length > 0);
  for (const line of shown) t.true(known.has(line.split(/[?]|\s+->/)[0] ?? ''), line);
});
