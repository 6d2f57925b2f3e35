import { failure, messageOf, type CliError } from './errors.ts';

/** The error of a file that cannot be read. */
export function unreadable(path: string, cause: unknown): CliError {
  return failure(`${path} cannot be read: ${messageOf(cause)}.`);
}

/** The error of a file that cannot be written. `hint` is a sentence that says what to do. */
export function unwritable(path: string, cause: unknown, hint?: string): CliError {
  return failure([`${path} cannot be written: ${messageOf(cause)}.`, ...(hint === undefined ? [] : [hint])].join(' '));
}

/** Whether an error of the file system has a code, like `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
