import type * as Prompting from '@clack/prompts';
import { Escaped, interrupted } from '../errors.ts';
import type { Io } from '../io.ts';
import { printable } from '../output/printable.ts';

/** Validates an input. Returns the problem, or undefined if it is valid. */
export type Check = (entered: string) => string | undefined;

/** An option to choose. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * Asks the person at the terminal. Every method throws the interruption error if the person cancels, and {@link
 * Escaped} on Escape.
 */
export interface Prompts {
  /** Asks for a line of text. `initial` can be edited; if it is not, it is returned unchanged. */
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

/** The prompts of a terminal. Null if there is no terminal: stderr shows the questions and stdin takes the answers. */
export function openPrompts({ stdin, stderr, signal }: Io): Prompts | null {
  if (!stdin.isTTY || !stderr.isTTY) return null;
  return {
    async text(message, { initial, hint, check } = {}) {
      const shown = initial === undefined ? undefined : printable(initial);
      // If the shown text is not edited, the characters that cannot be shown are kept.
      const whole = (value = '') => (initial !== undefined && value === shown ? initial : value);
      const line = await ask((terminal, { text }) =>
        text({
          ...terminal,
          message: printable(message),
          ...(shown !== undefined && { initialValue: shown }),
          ...(hint !== undefined && { placeholder: printable(hint) }),
          validate: (value) => check?.(whole(value)),
        }),
      );
      return whole(line);
    },
    secret(message, check) {
      return ask((terminal, { password }) =>
        password({ ...terminal, message, validate: (value) => check(value ?? '') }),
      );
    },
    yesNo(message, initial) {
      return ask((terminal, { confirm }) =>
        confirm({ ...terminal, message: printable(message), initialValue: initial }),
      );
    },
    choice(message, choices, initial) {
      const question = { message: printable(message), options: choices.map(toOption) };
      return ask((terminal, { select }) =>
        select({ ...terminal, ...question, ...(initial !== undefined && { initialValue: initial }) }),
      );
    },
    choices(message, choices, { initial, required }) {
      const question = { message: printable(message), options: choices.map(toOption) };
      return ask((terminal, { multiselect }) =>
        multiselect({ ...terminal, ...question, initialValues: [...initial], required }),
      );
    },
  };

  /** Asks on the terminal. The question ends when the command is to stop. */
  async function ask<Value>(
    prompt: (terminal: Terminal, library: Library) => Promise<Value>,
  ): Promise<Exclude<Value, symbol>> {
    // Most commands ask nothing.
    const library = await import('@clack/prompts');
    const stop = new AbortController();
    const onStop = () => stop.abort();
    let lastKey: Key | undefined;
    const onKey = (_: unknown, key: Key | undefined) => (lastKey = key);
    stdin.on('keypress', onKey);
    // On an empty line, Ctrl-D stops the reading of keys. The question would never end.
    const onPause = () => {
      if (lastKey?.ctrl && lastKey.name === 'd') onStop();
    };
    stdin.on('pause', onPause);
    // A terminal that is closed ends its input.
    stdin.on('end', onStop);
    signal.addEventListener('abort', onStop);
    if (signal.aborted || stdin.readableEnded) onStop();
    try {
      // Questions go to stderr, so that stdout holds data only.
      const value = await prompt({ input: stdin, output: stderr, withGuide: false, signal: stop.signal }, library);
      // Escape and Ctrl-C cancel alike.
      if (library.isCancel(value))
        throw lastKey?.name === 'escape' && !stop.signal.aborted ? new Escaped() : interrupted();
      return value as Exclude<Value, symbol>;
    } finally {
      stdin.off('keypress', onKey);
      stdin.off('pause', onPause);
      stdin.off('end', onStop);
      signal.removeEventListener('abort', onStop);
    }
  }
}

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

type Library = typeof Prompting;

type Terminal = Pick<Prompting.CommonOptions, 'input' | 'output' | 'withGuide' | 'signal'>;

function toOption({ value, label }: Choice) {
  return { value, label: printable(label) };
}
