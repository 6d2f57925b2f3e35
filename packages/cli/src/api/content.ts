import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { messageOf, usage, type CliError } from '../errors.ts';
import { unreadable } from '../file-errors.ts';
import type { Io } from '../io.ts';
import { readStdin } from '../terminal/input.ts';

/** A file is read while it is sent. stdin is read at once. */
export async function openFile(io: Io, path: string): Promise<File> {
  if (path === '-') return new File([new Uint8Array(await readStdin(io, 'the file'))], 'stdin');
  const absolute = resolve(io.cwd, path);
  try {
    if (!(await stat(absolute)).isFile()) throw new Error('it is not a file');
    return new File([await openAsBlob(absolute)], basename(path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Parses JSON; `what` names the value in the error that `fail` makes. */
export function parseJson(text: string, what: string, fail: (message: string) => CliError = usage): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw fail(`${what} is not valid JSON: ${messageOf(error)}.`);
  }
}
