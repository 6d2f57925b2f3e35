import { RunwardError } from '../errors/errors.ts';
import { abortError, throwIfAborted } from '../request/attempt.ts';

/** A stream of bytes. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The parts of a stream, one by one. Ending the loop early cancels the stream.
 *
 * @throws AbortError as soon as the signal aborts, even while the stream produces nothing; RunwardError if a part is
 * not bytes
 */
export async function* partsOf(stream: ByteStream, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const { next, cancel } = 'getReader' in stream ? readerOf(stream) : iteratorOf(stream);
  try {
    for (;;) {
      throwIfAborted(signal);
      const { done, value } = await unlessAborted(next(), signal);
      if (done) return;
      if (!(value instanceof Uint8Array)) {
        throw new RunwardError('The stream contains something other than bytes; its parts must be a Uint8Array.');
      }
      yield value;
    }
  } finally {
    // Not awaited: a source that hangs ends its work when it can.
    void cancel().catch(() => {});
  }
}

interface Source {
  readonly next: () => Promise<IteratorResult<unknown>>;
  readonly cancel: () => Promise<unknown>;
}

// Not every browser can iterate over a ReadableStream.
function readerOf(stream: ReadableStream<Uint8Array>): Source {
  const reader = stream.getReader();
  return {
    next: async () => (await reader.read()) as IteratorResult<unknown>,
    cancel: () => reader.cancel(),
  };
}

function iteratorOf(stream: AsyncIterable<Uint8Array>): Source {
  const iterator = stream[Symbol.asyncIterator]();
  return { next: () => iterator.next(), cancel: async () => iterator.return?.() };
}

/** Rejects as soon as the signal aborts. One promise for all parts in a race would keep every part in memory. */
function unlessAborted<Value>(pending: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return pending;
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortError(signal));
    signal.addEventListener('abort', stop, { once: true });
    void pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    // Asking for the part may have aborted it.
    if (signal.aborted) stop();
  });
}
