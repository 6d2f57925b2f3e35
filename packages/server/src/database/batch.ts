import type { Em } from './database.ts';

/** Settings of a batch. */
export interface BatchOptions {
  /** How many batches run at once. Calls that arrive meanwhile wait for the next batch. */
  readonly atATime: number;
  /** The maximum number of calls in a batch. */
  readonly most?: number;
  /**
   * After which errors each call of a failed batch is retried alone, beside the batches of other calls, so that it
   * neither fails nor delays them. By default after none.
   */
  readonly retriesAlone?: (error: unknown) => boolean;
}

interface Waiting<Call, Result> {
  readonly call: Call;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Performs calls in batches. Calls that arrive in the same turn of the event loop share a batch, and so do calls that
 * arrive while the maximum number of batches is running. A busy process thus sends fewer statements than it has
 * requests, and a single call does not wait. No result is older than its call. `perform` returns one result per call,
 * in their order. If it fails, all its calls fail, unless each is retried alone.
 */
export function batch<Call, Result>(
  perform: (calls: readonly Call[]) => Promise<readonly Result[]>,
  { atATime, most = Infinity, retriesAlone = () => false }: BatchOptions,
): (call: Call) => Promise<Result> {
  const waiting: Waiting<Call, Result>[] = [];
  let running = 0;

  function start(): void {
    while (running < atATime && waiting.length > 0) void run(waiting.splice(0, most));
  }

  async function run(calls: readonly Waiting<Call, Result>[]): Promise<void> {
    running += 1;
    const failed = await attempt(calls);
    running -= 1;
    start();
    for (const one of failed) void attempt([one]);
  }

  /** Returns the calls to retry. */
  async function attempt(calls: readonly Waiting<Call, Result>[]): Promise<readonly Waiting<Call, Result>[]> {
    try {
      const results = await perform(calls.map(({ call }) => call));
      if (results.length !== calls.length) throw new Error(`${calls.length} calls got ${results.length} results.`);
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (calls.length > 1 && retriesAlone(error)) return calls;
      for (const { reject } of calls) reject(error);
    }
    return [];
  }

  return async (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (waiting.length === 1) setImmediate(start);
    });
}

/** Batches the calls of each key separately. By default, one batch of a key runs at a time. */
export function batchByKey<Call, Result>(
  perform: (key: string, calls: readonly Call[]) => Promise<readonly Result[]>,
  options: BatchOptions = { atATime: 1 },
): (key: string, call: Call) => Promise<Result> {
  const batches = new Map<string, { readonly add: (call: Call) => Promise<Result>; calls: number }>();
  return async (key, call) => {
    const own = batches.get(key) ?? { add: batch((calls) => perform(key, calls), options), calls: 0 };
    batches.set(key, own);
    own.calls += 1;
    try {
      return await own.add(call);
    } finally {
      own.calls -= 1;
      if (own.calls === 0) batches.delete(key);
    }
  };
}

/** Runs the read of each key at most once at a time. */
const sharedReads = () =>
  batchByKey<() => Promise<unknown>, unknown>(async (_key, reads) => {
    const result = await reads[0]?.();
    return reads.map(() => result);
  });

/**
 * Reads the answer to a question once for all callers that ask the same question. No result is older than its call. The
 * question names everything that the result depends on: first what is read, then for which organization. Nobody may
 * change the result, because all callers get the same object. A transaction always reads separately, because it sees
 * its own changes.
 */
export async function shareRead<Result>(
  em: Em,
  question: readonly unknown[],
  read: () => Promise<Result>,
): Promise<Result> {
  if (em.isInTransaction()) return read();
  return em.shared(sharedReads)(JSON.stringify(question), read) as Promise<Result>;
}
