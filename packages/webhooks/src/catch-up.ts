import { CatchUpError } from './errors.ts';
import type { WebhookEvent } from './events.ts';
import { readPage, reasonOf } from './feed.ts';

/** What became of an event: its handlers ran, or it had been handled before. */
export type Outcome = 'handled' | 'duplicate';

/** Which gap to fill, and from where. */
export interface CatchUpOptions {
  /** Where the service is, with a path prefix if it has one. */
  baseUrl: string | undefined;
  /** An API key with the scope `webhooks:manage`. The feed has the events of all templates it reaches. */
  apiKey: string | undefined;
  /** The cursor to go on from: `after` of the last result, or `now` to begin with events to come. Default: the oldest event there is. */
  after?: string | undefined;
  /** Skips events that happened before: for the first time, when there is no cursor yet. */
  since?: Date | undefined;
  /** Told after each page of up to 200 events, and awaited: the place to store `after`. */
  onProgress?: ((progress: CatchUpResult) => unknown) | undefined;
  /** Sends the requests instead of the global `fetch`: for a proxy, or own certificates. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** How far a catch-up came. */
export interface CatchUpResult {
  /** Events whose handlers ran. */
  handled: number;
  /** Events that had been handled before. */
  duplicates: number;
  /** The cursor to store, and to go on from the next time. Good for 30 days. */
  after: string;
}

/** Gives each event of the feed after a cursor to `take`, one after another. See `catchUp` of the receiver for its errors. */
export async function catchUp(
  take: (event: WebhookEvent) => Promise<Outcome>,
  options: CatchUpOptions,
): Promise<CatchUpResult> {
  const { since, onProgress } = options;
  const sinceMs = since?.getTime() ?? -Infinity;
  if (Number.isNaN(sinceMs)) throw new RangeError('`since` must be a valid Date; leave it out to skip nothing.');
  const counts = { handled: 0, duplicates: 0 };
  let { after } = options;

  for (;;) {
    const page = await readPage(options, after);
    for (const event of page.data) {
      if (Date.parse(event.timestamp) < sinceMs) continue;
      try {
        counts[(await take(event)) === 'handled' ? 'handled' : 'duplicates'] += 1;
      } catch (cause) {
        const failure = `Handling ${event.event} ${event.deliveryId} from the feed failed: ${reasonOf(cause)}.`;
        const remedy = `Correct that, then go on ${after === undefined ? 'from the oldest event' : `after ${after}`}.`;
        throw new CatchUpError(`${failure} ${remedy}`, after, { cause });
      }
    }
    after = page.after;
    const progress = { ...counts, after };
    await onProgress?.(progress);
    if (!page.hasMore) return progress;
  }
}
