import { RunwardError } from '../errors/errors.ts';
import { throwIfAborted } from '../request/attempt.ts';

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
  const aborted = whenAborted(signal);
  try {
    for (;;) {
      throwIfAborted(signal);
      const { done, value } = await Promise.race([next(), aborted.promise]);
      if (done) return;
      if (!(value instanceof Uint8Array)) {
        throw new RunwardError('The stream contains something other than bytes; its parts must be a Uint8Array.');
      }
      yield value;
    }
  } finally {
    aborted.dispose();
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

function whenAborted(signal: AbortSignal | undefined) {
  let dispose = () => {};
  const promise = new Promise<never>((_, reject) => {
    const stop = () => {
      try {
        throwIfAborted(signal);
      } catch (error) {
        reject(error);
      }
    };
    signal?.addEventListener('abort', stop, { once: true });
    dispose = () => signal?.removeEventListener('abort', stop);
  });
  // It also rejects when nobody waits for a part.
  promise.catch(() => {});
  return { promise, dispose };
}
