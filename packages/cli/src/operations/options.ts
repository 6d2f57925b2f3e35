import { exactNumber } from '@runward/contract';
import { InvalidArgumentError, Option } from 'commander';
import { oneOf } from '../options.ts';
import { lookups } from './lookups.ts';
import type { OperationOption } from './operation.ts';

/** The option of commander for a query parameter or a property. */
export function toOption(option: OperationOption): Option {
  const { name, type, choices, repeatable = false } = option;
  const parse = type === 'string' && choices ? oneOf(choices) : parsers[type];
  const made = new Option(`--${flagOf(name)} <${valueName(option)}>`, describe(option));
  if (choices) made.choices(choices);
  if (!repeatable) return made.argParser(parse);
  return made.argParser((text: string, before: readonly unknown[] | undefined) => {
    // Texts may contain commas, so only choices are split at them.
    const texts = choices ? text.split(',') : [text];
    return [...(before ?? []), ...texts.map((each) => parse(each))];
  });
}

/** The long flag of a parameter without dashes: `templateId` becomes `template-id`. */
function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** An option as messages name it, like `--template-id <id|name>`. */
export function shown(option: OperationOption): string {
  return `--${flagOf(option.name)} <${valueName(option)}>`;
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
      throw new InvalidArgumentError('It must be JSON.');
    }
  },
};

function valueName({ type, kind, choices, name }: OperationOption): string {
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
