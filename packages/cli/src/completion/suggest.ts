import type { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { dynamicValues, type Subject } from './dynamic-values.ts';

/** A word that completes the command line, with a description. */
export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/** The kind of record that an argument or option names, by the words of its placeholder and the noun of the command. */
const subjects: Readonly<Record<string, Subject>> = {
  run: 'runs',
  template: 'templates',
  webhook: 'webhooks',
  profile: 'profiles',
};

/**
 * Suggestions for the last word. `words` is the command line after `runward`, up to the cursor. Null means a file, or a
 * text that only the user knows.
 */
export async function suggest(program: Command, words: readonly string[], io: Io): Promise<Suggestion[] | null> {
  const current = words.at(-1) ?? '';
  const { command, positionals, pending } = walk(program, words.slice(0, -1));
  const fits = ({ value }: Suggestion) => value.toLowerCase().startsWith(valuePart(current).toLowerCase());
  const prefix = /^--[^=]+=/.exec(current)?.[0] ?? '';
  const option = pending ?? (prefix === '' ? undefined : findOption(program, command, prefix.slice(0, -1)));
  if (option) {
    const values = await valuesOf(option, io, words);
    return values && values.filter(fits).map(({ value, description }) => ({ value: prefix + value, description }));
  }
  if (current.startsWith('-')) return optionsOf(program, command).filter(fits);
  const commands = visible(command);
  if (commands.length > 0) return positionals === 0 ? commands.filter(fits) : [];
  const argument =
    command.registeredArguments[positionals] ?? command.registeredArguments.findLast((each) => each.variadic);
  if (!argument) return [];
  if (argument.argChoices) return argument.argChoices.map(plain).filter(fits);
  const subject = subjects[argument.name()];
  return subject ? (await dynamicValues(subject, io, words)).filter(fits) : null;
}

/**
 * Follows the words to their command. Returns it with the number of arguments so far and the option that still needs a
 * value.
 */
function walk(program: Command, words: readonly string[]) {
  let command = program;
  let positionals = 0;
  let pending: Option | undefined;
  for (const word of words) {
    if (pending) pending = undefined;
    else if (word.startsWith('-') && !word.includes('=')) {
      const option = findOption(program, command, word);
      pending = option?.required ? option : undefined;
    } else if (!word.startsWith('-')) {
      const next = command.commands.find((each) => each.name() === word);
      // Help is asked for by the words of a command.
      if (next && positionals === 0) command = word === 'help' ? command : next;
      else positionals += 1;
    }
  }
  return { command, positionals, pending };
}

async function valuesOf(option: Option, io: Io, words: readonly string[]): Promise<Suggestion[] | null> {
  if (option.argChoices) return option.argChoices.map(plain);
  if (option.flags.endsWith('<true|false>')) return ['true', 'false'].map(plain);
  const subject = subjects[(option.long ?? '').replace(/^--|-ids?$/g, '')];
  return subject ? dynamicValues(subject, io, words) : null;
}

function findOption(program: Command, command: Command, flag: string): Option | undefined {
  return [...command.options, ...program.options].find(({ short, long }) => flag === short || flag === long);
}

function optionsOf(program: Command, command: Command): Suggestion[] {
  const own = command === program ? [] : command.options;
  return [...own, ...program.options]
    .filter(({ hidden, long }) => !hidden && long)
    .map(({ long, description }) => ({ value: long ?? '', description }))
    .concat({ value: '--help', description: 'print help' });
}

function visible(command: Command): Suggestion[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: each.description() }));
}

function plain(value: string): Suggestion {
  return { value, description: '' };
}

function valuePart(word: string): string {
  return word.replace(/^--[^=]+=/, '');
}
