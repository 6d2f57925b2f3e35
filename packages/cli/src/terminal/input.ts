import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { failure, usage } from '../errors.ts';

/** Everything on the standard input. `what` says what belongs there when it is a terminal. */
export async function readStdin(what: string): Promise<Buffer> {
  if (process.stdin.isTTY) throw usage(`Pipe ${what} into the standard input.`);
  return buffer(process.stdin);
}

/** The bytes of a file; `-` is the standard input. */
export async function readBytes(path: string, what: string): Promise<Buffer> {
  if (path === '-') return readStdin(what);
  try {
    return await readFile(path);
  } catch (error) {
    throw failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** The text of a file in UTF-8, without a byte order mark; `-` is the standard input. */
export async function readText(path: string, what: string): Promise<string> {
  const bytes = await readBytes(path, what);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw failure(`${path} is not text in UTF-8. Save it as UTF-8 and try again.`);
  }
}
