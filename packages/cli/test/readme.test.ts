import { readFile } from 'node:fs/promises';
import test from 'ava';
import type { Command } from 'commander';
import { buildProgram } from '../src/program.ts';
import { readTemplateFile } from '../src/template-file/read-file.ts';
import { toDocument } from '../src/template-file/to-document.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text = '']) => ({ language, text }));

/** A text with the lines that a backslash continues in one. */
function withWholeLines(text: string): string {
  return text.replace(/ \\\n\s*/g, ' ');
}

/** The command a line calls, and the options it gives; null for lines of other programs. */
function call(line: string): { command: Command; options: string[] } | null {
  const words = /(?:^|[|(] ?)runward ([^|&<>)]*)/
    .exec(line)?.[1]
    ?.replace(/"[^"]*"/g, 'X')
    .split(/\s+/);
  if (!words) return null;
  let command = buildProgram();
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next) break;
    command = next;
  }
  return { command, options: words.filter((word) => /^--?[a-zA-Z]/.test(word)) };
}

test('every command in the README and in the help texts exists, with its options', (t) => {
  const program = buildProgram();
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
    t.deepEqual(command.commands, [], `${command.name()} is a whole command`);
    const known = new Set([...command.options, ...program.options].flatMap(({ short, long }) => [short, long]));
    t.deepEqual(
      options.filter((option) => !known.has(option)),
      [],
      command.name(),
    );
  }
});

test('the template file in the README is sound, and can be published', (t) => {
  const [file = ''] = blocks.flatMap(({ language, text }) =>
    language === 'json' && text.includes('"tasks"') ? [text] : [],
  );
  const { tasks } = toDocument(readTemplateFile(file, 'README.md'), 'README.md', true);
  t.is(tasks[0]?.fields.length, 2);
});
