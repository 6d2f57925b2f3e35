import { CatchUpError } from './errors.ts';
import type { WebhookEvent } from './events.ts';
import { readPage, reasonOf, type Sleep } from './feed.ts';

/** The outcome of an event: its handlers ran, it was handled before, it was a test, or it has no handler. */
export type Outcome = 'handled' | 'duplicate' | 'test' | 'ignored';

/** Which events to read, and from where. */
export interface CatchUpOptions {
  /** The address of the service, with its path prefix if it has one. */
  baseUrl: string | undefined;
  /** An API key with the scope `webhooks:manage`. The feed has the events of all templates in its resource scope. */
  apiKey: string | undefined;
  /**
   * The cursor to start after: `after` of the last result, or `now` for future events only. Default: the oldest stored
   * event.
   */
  after?: string | undefined;
  /** Skips events before this time. Useful without a cursor. */
  since?: Date | undefined;
  /** Called after each page of up to 200 events, and awaited. Store `after` here. */
  onProgress?: ((progress: CatchUpResult) => unknown) | undefined;
  /** Replaces the global `fetch`, for example to use a proxy or custom certificates. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The progress of a catch-up. */
export interface CatchUpResult {
  /** Events whose handlers ran. */
  handled: number;
  /** Events that had been handled before. */
  duplicates: number;
  /** Events without a handler. */
  ignored: number;
  /** The cursor to pass as `after` the next time. Valid for 30 days. */
  after: string;
}

/** Passes each event of the feed after a cursor to `take`, in order. See the receiver's `catchUp` for errors. */
export async function catchUp(
  take: (event: WebhookEvent) => Promise<Outcome>,
  options: CatchUpOptions,
  sleep?: Sleep,
): Promise<CatchUpResult> {
  const { since, onProgress } = options;
  const sinceMs = since?.getTime() ?? -Infinity;
  if (Number.isNaN(sinceMs)) throw new RangeError('`since` must be a valid Date; omit it to skip no events.');
  const counts = { handled: 0, duplicates: 0, ignored: 0 };
  let { after } = options;

  for (;;) {
    const page = await readPage(options, after, sleep);
    for (const event of page.data) {
      if (Date.parse(event.timestamp) < sinceMs) continue;
      try {
        const outcome = await take(event);
        counts[outcome === 'duplicate' ? 'duplicates' : outcome === 'ignored' ? outcome : 'handled'] += 1;
      } catch (cause) {
        const failure = `Handling ${event.event} ${event.deliveryId} from the feed failed: ${reasonOf(cause)}.`;
        const start = after === undefined ? 'without `after`' : `with \`after\`: '${after}'`;
        const remedy = `Fix the handler, then call catchUp ${start}.`;
        throw new CatchUpError(`${failure} ${remedy}`, after, { cause });
      }
    }
    after = page.after;
    const progress = { ...counts, after };
    await onProgress?.(progress);
    if (!page.hasMore) return progress;
  }
}
