import { exactNumber } from '@runward/contract';
import { InvalidArgumentError, Option } from 'commander';
import { idKinds } from '../lookup/ids.ts';
import { oneOf } from '../options.ts';
import { quoted } from '../terminal/quoted.ts';
import { lookups } from './lookups.ts';
import type { OperationOption } from './operation.ts';

/** The options of commander for a query parameter or a property: the one that help shows, and earlier names. */
export function toOptions(option: OperationOption): Option[] {
  const { name, flag, isHidden = false } = option;
  const made = toOption(option, flag ?? flagOf(name), isHidden);
  return flag === undefined ? [made] : [made, toOption(option, flagOf(name), true)];
}

function toOption(option: OperationOption, flag: string, isHidden: boolean): Option {
  const { name, type, choices, wire = {}, repeatable = false } = option;
  const accepted = choices && [...choices, ...Object.values(wire)];
  const parse = type === 'string' && accepted ? choiceOf(accepted, wire) : parsers[type];
  const made = new Option(`--${flag} <${valueName(option)}>`, describe(option)).hideHelp(isHidden);
  // All names of an option set the same value.
  made.attributeName = () => name;
  if (choices) made.choices(choices);
  if (!repeatable) return made.argParser(parse);
  return made.argParser((text: string, before: readonly unknown[] | undefined) => {
    // Texts may contain commas, so only choices are split at them.
    const texts = choices ? text.split(',') : [text];
    return [...(before ?? []), ...texts.map((each) => parse(each))];
  });
}

function choiceOf(accepted: readonly string[], wire: Readonly<Record<string, string>>) {
  const parse = oneOf(accepted);
  return (text: string) => {
    const choice = parse(text);
    return wire[choice] ?? choice;
  };
}

/** The long flag of a parameter without dashes: `phaseId` becomes `phase-id`. */
function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An option as messages name it, like `--template <id|name>`. */
export function shown(option: OperationOption): string {
  return `--${option.flag ?? flagOf(option.name)} <${valueName(option)}>`;
}

const parsers: Readonly<Record<OperationOption['type'], (text: string) => unknown>> = {
  string: (text) => text,
  file: (text) => text,
  number(text) {
    const number = exactNumber(text.trim());
    if (number !== undefined) return number;
    throw new InvalidArgumentError('It must be a number.');
  },
  boolean: (text) => oneOf(['true', 'false'])(text) === 'true',
  json(text) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      const hint = /^\p{L}/u.test(text) ? `, and a text in double quotes: ${quoted(JSON.stringify(text))}` : '';
      throw new InvalidArgumentError(`It must be JSON${hint}.`);
    }
  },
};

function valueName({ type, kind, choices, name }: OperationOption): string {
  if (kind && kind in idKinds) return 'id';
  if (kind) return kind === 'member' ? 'id|email' : kind === 'run' ? 'run' : 'id|name';
  if (choices) return 'choice';
  return {
    string: /Ids?$/.test(name) ? 'id' : 'text',
    number: 'number',
    boolean: 'true|false',
    json: 'json',
    file: 'file',
  }[type];
}

function describe({ description, repeatable, kind }: OperationOption): string {
  const start = description.charAt(0).toLowerCase() + description.slice(1);
  const text = /^[A-Z][a-z ]/.test(description) ? start : description;
  const takes = kind && text === '' ? lookups[kind].takes : text;
  return repeatable ? `${takes}${takes === '' ? '' : ' '}(repeatable)` : takes;
}
