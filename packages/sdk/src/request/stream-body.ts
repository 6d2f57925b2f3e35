import { sizeOf } from '../download.ts';
import type { Attempt } from './attempt.ts';

/**
 * The body of a response as a stream. The timeout of the attempt applies to each part, and the stream fails with its
 * errors. Resolves when the first part has arrived, so that earlier failures reject the attempt and can be retried.
 *
 * @throws RunwardError
 */
export async function streamBody(response: Response, attempt: Attempt): Promise<ReadableStream<Uint8Array>> {
  const source: ReadableStream<Uint8Array> = response.body ?? new Blob([]).stream();
  const reader = source.getReader();
  const size = sizeOf(response.headers) ?? 0;
  let received = 0;

  // The timeout runs only while waiting for the server, not while the reader is busy.
  const nextPart = async () => {
    attempt.restartTimeout();
    try {
      const part = await reader.read();
      received += part.value?.byteLength ?? 0;
      if (part.done && received < size) throw new Error(`the response ended after ${received} of ${size} bytes`);
      return part;
    } catch (error) {
      attempt.end();
      throw attempt.toError(error, 'stream');
    } finally {
      attempt.stopTimeout();
    }
  };

  let first: Awaited<ReturnType<typeof nextPart>> | null = await nextPart();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Fails the stream immediately, also while nothing is being read.
        attempt.signal.addEventListener('abort', () => controller.error(attempt.toError(null, 'stream')));
      },
      async pull(controller) {
        const part = first ?? (await nextPart());
        first = null;
        if (!part.done) return controller.enqueue(part.value);
        attempt.end();
        controller.close();
      },
      async cancel(reason) {
        attempt.end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
