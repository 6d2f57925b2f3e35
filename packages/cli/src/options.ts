import { InvalidArgumentError } from 'commander';
import { usage } from './errors.ts';

/** The examples below the help of a command; a line that starts with a space goes on with the one before. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => (line.startsWith(' ') ? `  ${line}` : `  $ ${line}`)).join('\n')}`;
}

/** Reads a list separated by commas. */
export function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Reads an option that can be given several times, each a list separated by commas. */
export function lists(text: string, before: readonly string[] = []): string[] {
  return [...before, ...list(text)];
}

/** Reads an option that can be given several times. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Reads a whole number of at least `least`. */
export function wholeNumber(least: number) {
  return (text: string): number => {
    if (/^\d{1,12}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
  };
}

/** Reads a number of seconds, with or without a fraction. */
export function seconds(text: string): number {
  if (/^\d{1,6}(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of seconds.');
}

/** Splits what was given as `key=value`, at the first equals sign. */
export function keyValues(option: string, given: readonly string[] = []): [key: string, value: string][] {
  const split = given.map((text): [string, string] => {
    const at = text.indexOf('=');
    if (at < 1) throw usage(`${option} takes key=value, not "${text}".`);
    return [text.slice(0, at).trim(), text.slice(at + 1)];
  });
  const twice = split.find(([key], index) => split.findIndex(([other]) => other === key) !== index);
  if (twice) throw usage(`${option} names "${twice[0]}" twice; give it once.`);
  return split;
}
