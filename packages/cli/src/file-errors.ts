import { failure, messageOf, type CliError } from './errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  EACCES: 'you have no permission',
  EPERM: 'you have no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** What an error of the file system says about a path, in words. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return reasons[code] ?? messageOf(cause);
}

/** The error of a file that cannot be read. */
export function unreadable(path: string, cause: unknown): CliError {
  return failure(`${path} cannot be read: ${reasonOf(cause)}.`);
}

/** Creates the error for a file that cannot be written. `hint` is a sentence that says what to do. */
export function unwritable(path: string, cause: unknown, hint?: string): CliError {
  return failure([`${path} cannot be written: ${reasonOf(cause)}.`, ...(hint === undefined ? [] : [hint])].join(' '));
}

/** Whether an error of the file system has a code, like `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
