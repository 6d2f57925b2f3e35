import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, type Endpoint } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { repository, startCommand } from '@runward/testing/program';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { blocksOf, commandLinesOf, pages, placeOf, type Block } from './guides/blocks.ts';
import { castOf } from './guides/cast.ts';
import { bodies, outputs } from './guides/samples.ts';
import { linesNotRun, notRun, runElsewhere } from './guides/table.ts';

const app = useSharedApp(test);
const all = pages.flatMap(blocksOf);

/** A block without line breaks and indentation, as the tables name it. */
const flat = ({ text }: Block) => text.replaceAll(/\s+/g, ' ');
const isRow =
  (block: Block) =>
  ([page, start]: readonly [string, string, unknown]) =>
    block.page === page && flat(block).startsWith(start);
const isIn = (block: Block, table: readonly (readonly [string, string, unknown])[]) => table.some(isRow(block));
const textOf = ({ page, start }: { readonly page: string; readonly start: string }) =>
  all.find((block) => isRow(block)([page, start, '']))?.text ?? '';
const isCommands = (block: Block) => block.language === 'sh' && !isIn(block, runElsewhere) && !isIn(block, notRun);

test('every block of code is run, checked, or named with the reason why it is not', (t) => {
  const tables = [
    ...runElsewhere,
    ...notRun,
    ...bodies,
    ...outputs.map(({ page, start }) => [page, start, ''] as const),
  ];
  const strays = all.filter((block) => !['sh', 'ts', 'http'].includes(block.language) && !tables.some(isRow(block)));
  t.deepEqual(strays.map(placeOf), [], 'See scripts/test/guides/table.ts.');
  const stale = tables.filter((row) => !all.some((block) => isRow(block)(row)));
  t.deepEqual(stale.map(String), [], 'No block begins like this.');
  const lines = all.filter(isCommands).flatMap(commandLinesOf);
  t.deepEqual(
    linesNotRun.filter(([pattern]) => !lines.some((line) => pattern.test(line))),
    [],
    'No command line is like this.',
  );
});

test('the tests that run blocks name the page that the blocks are on', (t) => {
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

for (const page of pages) {
  const lines = blocksOf(page)
    .filter(isCommands)
    .flatMap((block) => commandLinesOf(block).map((line) => ({ place: placeOf(block), line })))
    .filter(({ line }) => !linesNotRun.some(([pattern]) => pattern.test(line)));
  if (lines.length === 0) continue;
  test(`the commands of ${page} run in their order, and print what it shows`, async (t) => {
    await using cast = await castOf(page, app);
    for (const { place, line } of lines) {
      const shown = outputs.find((output) => output.page === page && line.startsWith(output.command));
      const { code, stdout, stderr } = await cast.run(line);
      if (shown) shown.compare(t, textOf(shown), { stdout, stderr, cwd: cast.cwd });
      else t.is(code, 0, `${place}: ${line}\n${stderr}`);
    }
  });
}

test('the plan in the README of the command line is that of a file', async (t) => {
  await using cast = await castOf('packages/cli/README.md', app);
  const tasks = (titles: readonly string[], review: object) =>
    titles.map((title) => ({ title, ...(title === 'Review' && review) }));
  const write = (name: string, document: object) => writeFileSync(join(cast.cwd, name), JSON.stringify(document));
  write('before.json', { name: 'Loan', tasks: tasks(['Review', 'Check', 'Decide', 'Sign'], {}) });
  const score = { key: 'score', label: 'Score', type: 'NUMBER' };
  t.is((await cast.run('runward templates apply before.json')).code, 0);
  await cast.run('echo ada@example.com > email.txt');
  const email = readFileSync(join(cast.cwd, 'email.txt'), 'utf8').trim();
  write('after.json', {
    name: 'Loan',
    tasks: tasks(['Review', 'Sign', 'Check', 'Decide'], { assignee: email, fields: [score] }),
  });
  const { stdout, stderr } = await cast.run('runward templates plan after.json -o table');
  const shown = textOf({ page: 'packages/cli/README.md', start: '~ task Review' });
  t.is(stdout.replaceAll(email, 'ada@example.com'), shown, stderr);
});

test('the program in the README of the command line runs a command', async (t) => {
  const { apiKey } = await newOrganization(app);
  const [code = ''] = blocksOf('packages/cli/README.md').flatMap(({ language, text }) =>
    language === 'ts' ? [text] : [],
  );
  const given = `const [key, baseUrl] = ${JSON.stringify([apiKey, app.baseUrl])};`;
  const args = ['--conditions=@runward/source', '--input-type=module-typescript', '--eval'];
  const program = startCommand(process.execPath, [...args, `${given}\n${code}\nprocess.exitCode = exitCode;`]);
  t.is(await program.ended, 0, program.output());
  t.is(program.output().trim(), '[]');
});

test('JSON that is a body fits the contract', (t) => {
  for (const [page, start, schema] of bodies) {
    const text = textOf({ page, start }).replaceAll('"…"', '"019a5b0e-6a2f-7c1d-9a52-2f0f6c1d3e41"');
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
