import type { Attempt } from './attempt.ts';

/** A body that is produced while it is sent. */
export interface SentContent {
  /** Size in bytes; sent as `Content-Length`. */
  readonly size: number;
  /** Whether all of it is in memory already. */
  readonly isInMemory: boolean;
  /** Whether it can be sent once more. */
  isRepeatable(): boolean;
  /** Produces it from the beginning, once per attempt. */
  open(): AsyncGenerator<Uint8Array, void, undefined>;
  /** The whole content as one body, for runtimes that cannot stream requests. */
  whole(): Promise<Blob>;
}

/** The stream of a {@link SentContent}. */
export interface SentStream extends Pick<SentContent, 'isInMemory'> {
  readonly stream: ReadableStream<Uint8Array>;
  /** Why producing the content failed; null if it did not. `fetch` hides this error. */
  failure(): { readonly error: unknown } | null;
}

/**
 * The content as the body of an attempt. The timeout applies to sending each part, and to the time from the last part
 * to the response. It does not apply to the time that producing a part takes.
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
  return { stream, isInMemory: content.isInMemory, failure: () => failure };
}
