import { confirm, isCancel, multiselect, password, select, text } from '@clack/prompts';
import { interrupted } from '../errors.ts';
import type { Io } from '../io.ts';
import { printable } from '../output/printable.ts';

/** Validates what was entered: what is wrong with it, or undefined if it is valid. */
export type Check = (entered: string) => string | undefined;

/** An option to choose. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Asks the person at the terminal. Every method throws the error of an interruption when the person cancels. */
export interface Prompts {
  /** Asks for a line of text; `initial` can be edited, and is returned as it is if it is not. */
  text(message: string, options?: { initial?: string; hint?: string; check?: Check }): Promise<string>;
  /** Asks for a text that is not shown. */
  secret(message: string, check: Check): Promise<string>;
  /** Asks for yes or no. */
  yesNo(message: string, initial: boolean): Promise<boolean>;
  /** Asks for one of several options. */
  choice(message: string, choices: readonly Choice[], initial?: string): Promise<string>;
  /** Asks for any number of options. */
  choices(
    message: string,
    choices: readonly Choice[],
    options: { initial: readonly string[]; required: boolean },
  ): Promise<string[]>;
}

/** The prompts of a terminal; null if there is none to ask on: questions are written to stderr and read from stdin. */
export function openPrompts({ stdin, stderr }: Io): Prompts | null {
  if (!stdin.isTTY || !stderr.isTTY) return null;
  // Questions go to stderr, so that stdout holds data only.
  const terminal = { input: stdin, output: stderr, withGuide: false };
  return {
    async text(message, { initial, hint, check } = {}) {
      const shown = initial === undefined ? undefined : printable(initial);
      // A text that is left as it is shown keeps the characters that are not.
      const whole = (value = '') => (initial !== undefined && value === shown ? initial : value);
      const line = entered(
        await text({
          ...terminal,
          message: printable(message),
          ...(shown !== undefined && { initialValue: shown }),
          ...(hint !== undefined && { placeholder: printable(hint) }),
          validate: (value) => check?.(whole(value)),
        }),
      );
      return whole(line);
    },
    async secret(message, check) {
      return entered(await password({ ...terminal, message, validate: (value) => check(value ?? '') }));
    },
    async yesNo(message, initial) {
      return entered(await confirm({ ...terminal, message: printable(message), initialValue: initial }));
    },
    async choice(message, choices, initial) {
      const question = { ...terminal, message: printable(message), options: choices.map(toOption) };
      return entered(await select({ ...question, ...(initial !== undefined && { initialValue: initial }) }));
    },
    async choices(message, choices, { initial, required }) {
      const question = { ...terminal, message: printable(message), options: choices.map(toOption) };
      return entered(await multiselect({ ...question, initialValues: [...initial], required }));
    },
  };
}

function toOption({ value, label }: Choice) {
  return { value, label: printable(label) };
}

function entered<Value>(value: Value): Exclude<Value, symbol> {
  if (isCancel(value)) throw interrupted();
  return value as Exclude<Value, symbol>;
}
