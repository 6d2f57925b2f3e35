import type { Attempt } from './attempt.ts';
import { sizeOf } from './download.ts';

/**
 * The body of a response as a stream that keeps to the attempt's timeout between two parts and fails with its errors.
 * Resolves with the first part at hand, so that a failure before it rejects like any other attempt.
 *
 * @throws RunwardError
 */
export async function streamBody(response: Response, attempt: Attempt): Promise<ReadableStream<Uint8Array>> {
  const source: ReadableStream<Uint8Array> = response.body ?? new Blob([]).stream();
  const reader = source.getReader();
  const size = sizeOf(response.headers) ?? 0;
  let received = 0;

  // The timeout runs only while a part is awaited: a slow reader is not the server's delay.
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
        // Ends the stream at once, also while no part is awaited.
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
