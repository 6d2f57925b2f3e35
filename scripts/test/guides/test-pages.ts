import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newOrganization } from '@runward/testing/organization';
import type { Program } from '@runward/testing/program';
import type { SharedApp } from '@runward/testing/use-shared-app';
import type { SerialFn, TestFn } from 'ava';
import { blocksOf, commandLinesOf, isNamed, pages, placeOf, textOf, type Block } from './blocks.ts';
import { castOf } from './cast.ts';
import { outputs } from './samples.ts';
import type { RunLine } from './shell.ts';
import { linesNotRun, notRun, runElsewhere } from './table.ts';

/** How to run the code of pages: with the sources, or with installed packages. */
export interface Runner {
  readonly runLine: RunLine;
  /** Starts a TypeScript module that imports a package of this repository. */
  startModule(code: string, name: 'cli' | 'contract' | 'engine'): Program;
}

/** The command lines of a page that tests run, and where they are. */
export function linesOf(page: string): { readonly place: string; readonly line: string }[] {
  return blocksOf(page)
    .filter(isCommands)
    .flatMap((block) => commandLinesOf(block).map((line) => ({ place: placeOf(block), line })));
}

function isCommands(block: Block): boolean {
  return block.language === 'sh' && ![...runElsewhere, ...notRun].some((row) => isNamed(block, row));
}

/** What the examples print that say so in a comment. */
const examples = [
  ['contract', 'POST /runs false\n'],
  ['engine', '{"at":"2030-01-31T00:00:00.000Z","type":"RUN_LAUNCHED"}\n'],
] as const;

/** Tests the command lines of all pages, and the programs of READMEs that are not for clients. */
export function testPages(test: TestFn | SerialFn, app: SharedApp, { runLine, startModule }: Runner): void {
  for (const page of pages) {
    const lines = linesOf(page).filter(({ line }) => !linesNotRun.some(([pattern]) => pattern.test(line)));
    if (lines.length === 0) continue;
    test(`the commands of ${page} run in their order, and print what it shows`, async (t) => {
      await using cast = await castOf(page, app, runLine);
      for (const { place, line } of lines) {
        const shown = outputs.find((output) => output.page === page && line.startsWith(output.command));
        const { code, stdout, stderr } = await cast.run(line);
        if (shown) shown.compare(t, textOf(page, shown.start), { stdout, stderr, cwd: cast.cwd });
        else t.is(code, 0, `${place}: ${line}\n${stderr}`);
      }
    });
  }

  test('the plan in the README of the command line is that of a file', async (t) => {
    await using cast = await castOf('packages/cli/README.md', app, runLine);
    const titled = (...titles: string[]) => titles.map((title) => ({ title }));
    const write = (name: string, document: object) => writeFileSync(join(cast.cwd, name), JSON.stringify(document));
    const check = { key: 'check', title: 'Check' };
    write('before.json', { name: 'Loan', tasks: [check, ...titled('Compare', 'Decide', 'Sign')] });
    const score = { key: 'score', label: 'Score', type: 'NUMBER' };
    t.is((await cast.run('runward templates apply before.json')).code, 0);
    await cast.run('echo ada@example.com > email.txt');
    const email = readFileSync(join(cast.cwd, 'email.txt'), 'utf8').trim();
    write('after.json', {
      name: 'Loan',
      tasks: [{ ...check, title: 'Review', assignee: email, fields: [score] }, ...titled('Sign', 'Compare', 'Decide')],
    });
    const { stdout, stderr } = await cast.run('runward templates plan after.json -o table');
    t.is(stdout.replaceAll(email, 'ada@example.com'), textOf('packages/cli/README.md', '~ task Review'), stderr);
  });

  test('the program in the README of the command line runs a command', async (t) => {
    const { apiKey } = await newOrganization(app);
    const given = `const [key, baseUrl] = ${JSON.stringify([apiKey, app.baseUrl])};`;
    const code = textOf('packages/cli/README.md', 'import { processIo, run }');
    const program = startModule(`${given}\n${code}\nprocess.exitCode = exitCode;`, 'cli');
    t.is(await program.ended, 0, program.output());
    t.is(program.output().trim(), '[]');
  });

  for (const [name, output] of examples) {
    test(`the example in the README of @runward/${name} prints what it says`, async (t) => {
      const program = startModule(textOf(`packages/${name}/README.md`, 'import {'), name);
      t.is(await program.ended, 0, program.output());
      t.is(program.stdout(), output);
    });
  }
}
