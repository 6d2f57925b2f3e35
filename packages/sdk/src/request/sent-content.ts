import type { Attempt } from './attempt.ts';

/** A body that is produced while it is sent. */
export interface SentContent {
  /** In bytes; sent as `Content-Length`. */
  readonly size: number;
  /** Whether it can be sent once more. */
  isRepeatable(): boolean;
  /** Produces it from the beginning, once per attempt. */
  open(): AsyncGenerator<Uint8Array, void, undefined>;
  /** The same as one body, for runtimes whose requests cannot be streamed. */
  whole(): Promise<Blob>;
}

/** The stream of a {@link SentContent}. */
export interface SentStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** Why producing the content failed; null if it did not. `fetch` would hide it. */
  failure(): { readonly error: unknown } | null;
}

/**
 * The content as the body of an attempt. The timeout of the attempt applies to each part that the connection takes, and to the time from the
 * last one to the response, but not to the time that producing a part takes.
 */
export function toSentStream(content: SentContent, attempt: Attempt): SentStream {
  const parts = content.open();
  let failure: { readonly error: unknown } | null = null;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        attempt.stopTimeout();
        try {
          const { done, value } = await parts.next();
          attempt.restartTimeout();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          failure = { error };
          throw error;
        }
      },
      cancel() {
        void parts.return().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, failure: () => failure };
}
