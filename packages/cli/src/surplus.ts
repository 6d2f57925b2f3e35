import type { Command } from 'commander';
import { quoted } from './terminal/quoted.ts';

/** What to type instead of the arguments of a command that are too many. `siblings` are the commands beside it. */
export function surplusHints(command: Command, siblings: readonly Command[]): string[] {
  const surplus = command.args.slice(command.registeredArguments.length);
  const person = command.options.find(({ flags }) => /<(?:id\|)?email>/.test(flags));
  const email = surplus.find((text) => /^[^\s=]+@[^\s=]+$/.test(text));
  if (person && email !== undefined) return [`Did you mean ${person.long} ${quoted(email)}?`];
  const pairs = surplus.filter((text) => text.indexOf('=') > 0);
  if (pairs.length > 0) return pairs.flatMap((pair) => pairHint(command, siblings, pair));
  const knowsQuotes = surplus.some((text) => text.includes(' '));
  if (surplus.length === 0 || command.registeredArguments.length === 0 || knowsQuotes) return [];
  const isOne = command.registeredArguments.length === 1 && !command.args[0]?.includes(' ');
  const whole = isOne ? `: "${command.args.join(' ')}"` : '.';
  return [`Put a text of several words in quotes${whole}`];
}

function pairHint(command: Command, siblings: readonly Command[], pair: string): string[] {
  const at = pair.indexOf('=');
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
  const own = command.options.find((option) => option.attributeName() === name || option.long === `--${name}`);
  if (own?.required) return [`Did you mean ${own.long} ${quoted(value)}?`];
  const taking = command.options.find(({ flags }) => /<(?:key=value|condition)>/.test(flags));
  if (taking) return [`Give ${quoted(pair)} as: ${taking.long} ${quoted(pair)}`];
  return siblings.flatMap((sibling) => {
    const option = sibling.options.find(({ flags }) => flags.includes('<key=value>'));
    const words = sibling.registeredArguments.map((argument) => ` ${argument.name().toUpperCase()}`).join('');
    const line = `runward ${sibling.parent?.name()} ${sibling.name()}${words} ${option?.long} ${quoted(pair)}`;
    return option ? [`To set a value: ${line}`] : [];
  });
}
