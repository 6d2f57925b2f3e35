import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { UploadSource } from '@runward/sdk';
import { usage } from '../errors.ts';
import { reasonOf, unreadable } from '../file-errors.ts';
import type { Io } from '../io.ts';

/** A file to upload. */
export interface FileSource {
  readonly source: UploadSource;
  readonly fileName: string;
}

/**
 * A file to upload, by its path on the command line; `-` is stdin. `name` replaces the file name.
 *
 * @throws CliError if it cannot be read, or stdin is a terminal
 */
export function fileSource(io: Io, path: string, name?: string): FileSource {
  if (path === '-') {
    if (io.stdin.isTTY) throw usage('Pipe the file into stdin.');
    return { source: io.stdin, fileName: name ?? 'stdin' };
  }
  const problem = fileProblem(io, path);
  if (problem !== null) throw unreadable(path, problem);
  const absolute = absolutePath(io, path);
  return { source: absolute, fileName: name ?? basename(absolute) };
}

/** Why a path does not lead to a file that can be read. Null if it does. */
export function fileProblem(io: Io, path: string): string | null {
  try {
    return statSync(absolutePath(io, path)).isFile() ? null : 'it is not a file';
  } catch (error) {
    return reasonOf(error);
  }
}

// A shell expands the tilde only at the start of a word, so not in `key=@~/file`, and never in an answer to a question.
function absolutePath({ cwd, env }: Io, path: string): string {
  const home = env['HOME'];
  return home !== undefined && path.startsWith('~/') ? join(home, path.slice(2)) : resolve(cwd, path);
}
