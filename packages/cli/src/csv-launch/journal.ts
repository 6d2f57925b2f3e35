import { randomUUID } from 'node:crypto';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { failure } from '../errors.ts';
import { hasCode, unreadable, unwritable } from '../file-errors.ts';
import type { LaunchBody } from '../launch/launch-body.ts';

/** The first line, which identifies the journal. */
interface Head {
  readonly type: 'journal';
  readonly version: 1;
  readonly id: string;
}

/** Written before a row is launched. Without a result after it, it is unknown whether the run exists. */
export interface Intent {
  readonly type: 'intent';
  readonly row: string;
  readonly template: string;
  /** What the key of the row is made from: `content`, or `column NAME`. */
  readonly keyedBy: string;
  readonly line: number;
  /** When the request was sent, by this machine's clock. */
  readonly at: string;
  /** The earliest possible creation time of the run, by the server's clock. */
  readonly since: string;
  readonly body: LaunchBody;
  /** The idempotency key of the request. Older journals do not have it. */
  readonly batch?: string;
  /** The ID of the API key that the request was sent with. */
  readonly caller?: string;
}

/** The result of a launch. */
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
  /** Left out by `--resolve skip`. */
  | { readonly type: 'skipped'; readonly row: string; readonly template: string };

/** Any line of the journal after the first. */
export type JournalEntry = Intent | Result;

/** The content of a journal. */
export interface JournalContent {
  readonly id: string;
  readonly entries: readonly JournalEntry[];
  /** The size of all complete lines in bytes. A killed process may have left an incomplete line after them. */
  readonly size: number;
}

/** A journal that is open for writing. */
export interface Journal extends AsyncDisposable {
  readonly id: string;
  /**
   * Resolves when the entries are on disk. After a write that failed, nothing more is written.
   *
   * @throws CliError if they cannot be written
   */
  record(...entries: readonly JournalEntry[]): Promise<void>;
}

/**
 * Reads a journal. Null if there is none.
 *
 * @throws CliError if it is corrupt
 */
export async function readJournal(path: string): Promise<JournalContent | null> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw unreadable(path, error);
  });
  const size = bytes === null ? 0 : bytes.lastIndexOf('\n') + 1;
  if (bytes === null || size === 0) return null;
  const [head, ...entries] = bytes.subarray(0, size).toString('utf8').split('\n').slice(0, -1).map(parse);
  if (head?.type === 'journal' && head.version === 1 && entries.every(isEntry)) return { id: head.id, entries, size };
  throw failure(
    `${path} is corrupt, so it is unknown which rows were launched. Restore it, or compare the rows with the runs yourself and move it away.`,
  );
}

/**
 * Opens a journal for writing, and creates it if needed. The caller must hold the lock, and must have read `content`
 * under the same lock.
 */
export async function openJournal(path: string, content: JournalContent | null): Promise<Journal> {
  const id = content?.id ?? randomUUID();
  let file: FileHandle;
  try {
    file = await open(path, 'a', 0o600);
    // An incomplete entry launched nothing, because a launch is sent only after its entry is written.
    await file.truncate(content?.size ?? 0);
  } catch (error) {
    throw unwritable(path, error, 'Use --journal to name another file.');
  }
  let queue: Promise<void> = Promise.resolve();
  const append = (...lines: readonly (Head | JournalEntry)[]) => {
    // A failed write may have left a part of a line. The next command removes it, unless something follows it.
    queue = queue.then(() => write(path, file, lines));
    return queue;
  };
  if (!content) await append({ type: 'journal', version: 1, id });
  const close = async () => {
    await queue.catch(() => {});
    await file.close();
  };
  return { id, record: append, [Symbol.asyncDispose]: close };
}

async function write(path: string, file: FileHandle, lines: readonly (Head | JournalEntry)[]): Promise<void> {
  try {
    await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await file.datasync();
  } catch (error) {
    throw unwritable(path, error);
  }
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
