import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { failure, usage } from '../errors.ts';
import { unreadable } from '../file-errors.ts';
import type { Io } from '../io.ts';

/** Reads stdin as bytes. `what` says in the error what to pipe in, if stdin is a terminal. */
export async function readStdin({ stdin }: Io, what: string): Promise<Buffer> {
  if (stdin.isTTY) throw usage(`Pipe ${what} into stdin.`);
  return buffer(stdin);
}

/** The name of a file in messages; `-` is stdin. */
export function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path;
}

/** The bytes of a file; `-` is stdin. */
async function readBytes(io: Io, path: string, what: string): Promise<Buffer> {
  if (path === '-') return readStdin(io, what);
  try {
    return await readFile(resolve(io.cwd, path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The text of a UTF-8 file without its byte order mark; `-` is stdin. */
export async function readText(io: Io, path: string, what: string): Promise<string> {
  const bytes = await readBytes(io, path, what);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw failure(`${nameOf(path)} is not UTF-8 text. Save it as UTF-8 and try again.`);
  }
}
