import type { Em } from './database.ts';

interface Reads<Result> {
  readonly running: Promise<Result>;
  next: Promise<Result> | null;
}

/** Reads what a key stands for. Callers with equal keys must ask for the same. */
type SharedReads<Result> = (key: string, read: () => Promise<Result>) => Promise<Result>;

/**
 * Shares reads between concurrent callers with the same key. No result is older than its call: callers that arrive during a read wait
 * together for the next one.
 */
export function sharedReads<Result>(): SharedReads<Result> {
  const reads = new Map<string, Reads<Result>>();

  function start(key: string, read: () => Promise<Result>): Promise<Result> {
    const current: Reads<Result> = { running: read(), next: null };
    reads.set(key, current);
    const end = () => {
      if (reads.get(key) === current && !current.next) reads.delete(key);
    };
    current.running.then(end, end);
    return current.running;
  }

  return (key, read) => {
    const current = reads.get(key);
    if (!current) return start(key, read);
    const startNext = () => start(key, read);
    current.next ??= current.running.then(startNext, startNext);
    return current.next;
  };
}

/** By database, because a statement runs on one of them. */
const byDatabase = new WeakMap<object, SharedReads<unknown>>();

/**
 * Reads what a question asks for, together with callers of the same question. The question names all that the result depends on, first what is
 * read and for which organization. The result belongs to all of them, so nobody may change it. A transaction reads for itself, as it
 * sees its own changes.
 */
export async function sharedRead<Result>(
  em: Em,
  question: readonly unknown[],
  read: () => Promise<Result>,
): Promise<Result> {
  if (em.isInTransaction()) return read();
  const database = em.getDriver();
  const reads = byDatabase.get(database) ?? sharedReads<unknown>();
  byDatabase.set(database, reads);
  return reads(JSON.stringify(question), read) as Promise<Result>;
}
