import type { Cli } from '../cli.ts';
import { messageOf, usage } from '../errors.ts';
import { printableLines } from './printable.ts';

/**
 * Runs a command and prints its JSON output through a jq expression. Strings are printed raw, everything else as JSON.
 *
 * @throws CliError if the expression is invalid, before the command does anything, or if it does not fit the output
 */
export async function withFilter<Result>(
  cli: Cli,
  expression: string,
  work: (cli: Cli) => Promise<Result>,
): Promise<Result> {
  const { output } = cli;
  const isLines = output.chosen && output.format === 'jsonl';
  if (output.chosen && !isLines && output.format !== 'json') {
    throw usage(`--jq filters JSON; it does not go with -o ${output.format}.`);
  }
  const jq = await openJq();
  // Nothing is run: a function that is not called is only compiled.
  jq('null', `def filter: (\n${expression}\n); empty`);
  const texts: string[] = [];
  const collected = { ...output, format: isLines ? ('jsonl' as const) : ('json' as const), chosen: true };
  const result = await work({ ...cli, output: { ...collected, write: (text) => void texts.push(text) } });
  const filtered = texts.length > 0 ? jq(texts.join('\n'), expression, isLines ? ['-r', '-c'] : ['-r']) : '';
  if (filtered !== '') output.write(output.isTerminal ? printableLines(filtered) : filtered);
  return result;
}

async function openJq() {
  const { default: loading } = await import('jq-web');
  const { raw } = await loading;
  return (json: string, expression: string, flags: readonly string[] = []): string => {
    const { exitCode } = process;
    try {
      return raw(json, expression, [...flags]) ?? '';
    } catch (error) {
      throw usage(`--jq: ${problemOf(messageOf(error))}`);
    } finally {
      // The library sets it.
      process.exitCode = exitCode;
    }
  };
}

/** The message of jq without a position, because the position is in a longer program that contains the expression. */
function problemOf(message: string): string {
  const [first = ''] = message.replace(/^Non-zero exit code: \d+\n/, '').split('\n');
  return first.replace(/^jq: (?:error: )?/, '').replace(/ at <top-level>, line \d+.*$/, '');
}
