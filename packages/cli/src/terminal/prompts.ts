import { confirm, isCancel, multiselect, password, select, text } from '@clack/prompts';
import { interrupted } from '../errors.ts';
import { printable } from '../output/printable.ts';

// Questions go to the standard error, so that the standard output stays data.
const terminal = { input: process.stdin, output: process.stderr, withGuide: false };

/** A check of an answer: what is wrong with it, undefined when nothing is. */
export type Check = (answer: string) => string | undefined;

/** One answer to choose. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Asks for a line of text. `initial` is there to be edited. */
export async function askText(
  message: string,
  options: { initial?: string; hint?: string; check?: Check } = {},
): Promise<string> {
  const { initial, hint, check } = options;
  return answered(
    await text({
      ...terminal,
      message: printable(message),
      ...(initial !== undefined && { initialValue: initial }),
      ...(hint !== undefined && { placeholder: printable(hint) }),
      validate: (answer) => check?.(answer ?? ''),
    }),
  );
}

/** Asks for something that is not shown. */
export async function askSecret(message: string, check: Check): Promise<string> {
  return answered(await password({ ...terminal, message, validate: (answer) => check(answer ?? '') }));
}

/** Asks yes or no. */
export async function askYesNo(message: string, initial: boolean): Promise<boolean> {
  return answered(await confirm({ ...terminal, message: printable(message), initialValue: initial }));
}

/** Asks for one of several. */
export async function askChoice(message: string, choices: readonly Choice[], initial?: string): Promise<string> {
  const question = { ...terminal, message: printable(message), options: choices.map(shown) };
  return answered(await select({ ...question, ...(initial !== undefined && { initialValue: initial }) }));
}

/** Asks for any number of several. */
export async function askChoices(
  message: string,
  choices: readonly Choice[],
  options: { initial: readonly string[]; required: boolean },
): Promise<string[]> {
  return answered(
    await multiselect({
      ...terminal,
      message: printable(message),
      options: choices.map(shown),
      initialValues: options.initial,
      required: options.required,
    }),
  );
}

function shown({ value, label }: Choice) {
  return { value, label: printable(label) };
}

function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw interrupted();
  return answer as Exclude<Answer, symbol>;
}
