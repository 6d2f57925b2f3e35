import { styleText } from 'node:util';
import { printable } from '../output/printable.ts';

let hushed = false;

/** Makes {@link note} silent: with `-o json` the standard error is for a program, which reads nothing there but an error. */
export function hush(): void {
  hushed = true;
}

/** Writes a line for the person to the standard error; data goes to the standard output only. */
export function note(text: string): void {
  if (!hushed) tell(text);
}

/** Writes a line to the standard error, whoever reads it. */
export function tell(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** Writes what went wrong to the standard error, one line for each problem. */
export function complain(messages: readonly string[]): void {
  const [first = '', ...others] = messages.map(printable);
  const label = styleText('red', 'Error:', { stream: process.stderr });
  process.stderr.write(`${[`${label} ${first}`, ...others.map((message) => `  ${message}`)].join('\n')}\n`);
}

/** Whether a person can be asked: questions are written to the standard error and answered on the standard input. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}
