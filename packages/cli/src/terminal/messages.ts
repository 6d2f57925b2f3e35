import type { Io } from '../io.ts';
import { printable } from '../output/printable.ts';
import { styled } from './colors.ts';

/** Prints messages for people to stderr. */
export interface Messages {
  /**
   * Prints a message, except with `-o json` and `-o jsonl`: then programs read stderr, and expect only errors there.
   */
  info(text: string): void;
  /** Prints a message in every format. */
  warn(text: string): void;
}

/** Prints a line to stderr. */
export function printLine({ stderr }: Io, text: string): void {
  stderr.write(`${printable(text)}\n`);
}

/** Prints an error to stderr, one line for each of its messages. */
export function printError({ stderr, env }: Io, messages: readonly string[]): void {
  const [first = '', ...others] = messages.map(printable);
  const label = styled('red', 'Error:', stderr, env);
  stderr.write(`${[`${label} ${first}`, ...others.map((message) => `  ${message}`)].join('\n')}\n`);
}
