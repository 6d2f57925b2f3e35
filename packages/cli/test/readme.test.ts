import { readFile } from 'node:fs/promises';
import test from 'ava';
import type { Command } from 'commander';
import { exitCodes } from '../src/errors.ts';
import { processIo } from '../src/process-io.ts';
import { buildProgram } from '../src/program.ts';
import { readTemplateFile } from '../src/template-file/read-file.ts';
import { checkDocument } from '../src/template-file/to-replacement.ts';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
const guides = ['analytics', 'audit', 'cli', 'data-sources', 'files', 'portals', 'sharing', 'templates'].map(
  (name) => `../../../docs/guides/${name}.md`,
);
const pages = (await Promise.all(['../README.md', ...guides].map(read))).join('\n');
const blocks = [...pages.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text = '']) => ({ language, text }));

const io = processIo(new AbortController().signal);
const program = await buildProgram({ io, exitCode: exitCodes.ok, stopsGracefully: false }, null);

/** A text in which lines that a backslash continues are joined. */
function withWholeLines(text: string): string {
  return text.replace(/ \\\n\s*/g, ' ');
}

/** The command and options of a line. Null if the line calls other programs. */
function call(line: string): { command: Command; options: string[] } | null {
  const words = /(?:^|[|(] ?)runward ([^|&<>)]*)/
    .exec(line)?.[1]
    ?.replace(/"[^"]*"/g, 'X')
    .split(/\s+/);
  if (!words) return null;
  let command: Command = program;
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next) break;
    command = next;
  }
  return { command, options: words.flatMap((word) => /^--?[a-zA-Z][^=]*/.exec(word) ?? []) };
}

test('the commands in the README, the guide and the help texts exist, with their options', (t) => {
  const help: string[] = [];
  const collect = (command: Command) => {
    command.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
    for (const each of command.commands) collect(each);
  };
  collect(program);
  const examples = withWholeLines(help.join(''))
    .split('\n')
    .flatMap((line) => /^ {2}\$ (.*)$/.exec(line)?.[1] ?? []);
  const lines = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => withWholeLines(text).split('\n'));
  const calls = [...lines, ...examples].flatMap((line) => call(line) ?? []);
  t.true(calls.length > 60, String(calls.length));
  for (const { command, options } of calls) {
    t.deepEqual(command.commands, [], `${command.name()} is a complete command`);
    const known = new Set([...command.options, ...program.options].flatMap(({ short, long }) => [short, long]));
    t.deepEqual(
      options.filter((option) => !known.has(option)),
      [],
      command.name(),
    );
  }
});

test('the template file in the README is valid and can be published', (t) => {
  const [file = ''] = blocks.flatMap(({ language, text }) =>
    language === 'json' && text.includes('"tasks"') ? [text] : [],
  );
  const { tasks } = checkDocument(readTemplateFile(file, 'README.md'), 'README.md', true);
  t.is(tasks[0]?.fields.length, 2);
});
