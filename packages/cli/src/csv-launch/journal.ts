import { randomUUID } from 'node:crypto';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { failure } from '../errors.ts';
import type { LaunchBody } from '../launch/launch-body.ts';

/** The first line: a name for the journal itself. */
interface Head {
  readonly type: 'journal';
  readonly version: 1;
  readonly id: string;
}

/** Written before a row is launched. Without a result after it, nobody knows whether the run exists. */
export interface Intent {
  readonly type: 'intent';
  readonly row: string;
  readonly template: string;
  /** `content`, or `column NAME`: what the row's key was made from. */
  readonly keyedBy: string;
  readonly line: number;
  /** When the request was sent, by the clock of this machine. */
  readonly at: string;
  /** No run of this launch is older than that, by the clock of the server. */
  readonly since: string;
  readonly body: LaunchBody;
}

/** How a launch went. */
export type Result =
  | {
      readonly type: 'launched';
      readonly row: string;
      readonly template: string;
      readonly runId: string;
      readonly publicId: string;
      readonly title: string;
    }
  | { readonly type: 'failed'; readonly row: string; readonly template: string; readonly messages: readonly string[] }
  /** Given up on by `--resolve skip`. */
  | { readonly type: 'skipped'; readonly row: string; readonly template: string };

/** A line of the journal below its first. */
export type JournalEntry = Intent | Result;

/** What a journal says. */
export interface JournalContent {
  readonly id: string;
  readonly entries: readonly JournalEntry[];
  /** Bytes of whole lines; a process that was killed may have left a part of one behind them. */
  readonly size: number;
}

/** A journal that is being written. */
export interface Journal extends AsyncDisposable {
  readonly id: string;
  /** Resolves when the entry is on the disk. */
  record(entry: JournalEntry): Promise<void>;
}

/**
 * Reads a journal; null when there is none.
 *
 * @throws CliError when it is damaged
 */
export async function readJournal(path: string): Promise<JournalContent | null> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  });
  const size = bytes === null ? 0 : bytes.lastIndexOf('\n') + 1;
  if (bytes === null || size === 0) return null;
  const [head, ...entries] = bytes.subarray(0, size).toString('utf8').split('\n').slice(0, -1).map(parse);
  if (head?.type === 'journal' && head.version === 1 && entries.every(isEntry)) return { id: head.id, entries, size };
  throw failure(
    `${path} is damaged, so nobody can tell which rows were launched. Restore it, or compare the runs by hand and move it away.`,
  );
}

/** Opens a journal for writing, starting one where there is none. Call it under the lock, with what was read under it. */
export async function openJournal(path: string, content: JournalContent | null): Promise<Journal> {
  const id = content?.id ?? randomUUID();
  let file: FileHandle;
  try {
    file = await open(path, 'a', 0o600);
    // An entry that was torn off was never acted upon: its launch is sent only after the write.
    await file.truncate(content?.size ?? 0);
  } catch (error) {
    throw failure(
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}. --journal may name another file.`,
    );
  }
  let queue: Promise<unknown> = Promise.resolve();
  const append = (line: Head | JournalEntry) => {
    const written = writeBehind(queue, file, line);
    queue = written.catch(() => {});
    return written;
  };
  if (!content) await append({ type: 'journal', version: 1, id });
  const close = async () => {
    await queue;
    await file.close();
  };
  return { id, record: append, [Symbol.asyncDispose]: close };
}

async function writeBehind(before: Promise<unknown>, file: FileHandle, line: Head | JournalEntry): Promise<void> {
  await before;
  await file.appendFile(`${JSON.stringify(line)}\n`);
  await file.datasync();
}

/** The last entry of each row of a template. */
export function lastEntries(content: JournalContent | null, template: string): Map<string, JournalEntry> {
  const own = content?.entries.filter((entry) => entry.template === template) ?? [];
  return new Map(own.map((entry) => [entry.row, entry]));
}

function parse(line: string): Head | JournalEntry | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isEntry(entry: Head | JournalEntry | null): entry is JournalEntry {
  return (
    entry !== null && entry.type !== 'journal' && typeof entry.row === 'string' && typeof entry.template === 'string'
  );
}
