import { InvalidArgumentError, Option } from 'commander';
import { usage } from './errors.ts';

/** The examples at the end of a help text. A line that starts with a space continues the previous one. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => (line.startsWith(' ') ? `  ${line}` : `  $ ${line}`)).join('\n')}`;
}

/** Parses a comma-separated list. */
export function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Parses a repeatable option that takes a comma-separated list. */
export function lists(text: string, before: readonly string[] = []): string[] {
  return [...before, ...list(text)];
}

/** Parses a repeatable option. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Parses an option with a fixed set of values, ignoring case. */
export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  return (text: string): Choice => {
    const found = choices.find((choice) => choice.toLowerCase() === text.trim().toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  };
}

/** An option with a fixed set of values, ignoring case. */
export function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser(oneOf(choices));
}

/** Parses a whole number from `least` to `most`. */
export function wholeNumber(least: number, most = Infinity) {
  return (text: string): number => {
    if (/^\d{1,12}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(
      `It must be a whole number, ${most === Infinity ? `${least} or more` : `from ${least} to ${most}`}.`,
    );
  };
}

/** Parses a number of seconds above 0. */
export function positiveSeconds(text: string): number {
  const number = seconds(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be more than 0 seconds.');
}

/** Parses seconds, possibly with a fraction. */
export function seconds(text: string): number {
  if (/^\d{1,6}(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of seconds.');
}

/**
 * Splits the values of an option, each `key=value`, at the first equals sign. `form` shows the expected form in errors.
 *
 * @throws CliError if a value has no key, or two have the same, unless `isRepeatable` is true for both
 */
export function keyValues(
  option: string,
  given: readonly string[] = [],
  form = 'key=value',
  isRepeatable: (value: string) => boolean = () => false,
): [key: string, value: string][] {
  const split = given.map((text): [string, string] => {
    const at = text.indexOf('=');
    if (at < 1) throw usage(`${option} takes ${form}, not "${text}".`);
    return [text.slice(0, at).trim(), text.slice(at + 1)];
  });
  const repeated = split.find(([key, value], index) => {
    const [, first = ''] = split.find(([other]) => other === key) ?? [];
    const isFirst = split.findIndex(([other]) => other === key) === index;
    return !isFirst && !(isRepeatable(first) && isRepeatable(value));
  });
  if (repeated) throw usage(`${option} names "${repeated[0]}" twice; give it once.`);
  return split;
}
