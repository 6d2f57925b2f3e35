import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryPayload } from '@runward/contract';
import {
  isAborted,
  isConnectionError,
  isRateLimited,
  isServerError,
  isTimeout,
  isValidationError,
  type Client,
  type EventFeed,
} from '@runward/sdk';
import { report } from '../error-report.ts';
import { rejected } from '../errors.ts';

/** How the event feed is followed. */
export interface FollowOptions {
  /** The position to start after: a cursor, or `oldest`. */
  readonly since: string;
  /** The pause at the end of the feed. */
  readonly intervalMs: number;
  readonly stop: AbortSignal;
  /**
   * Handles one event; the next one follows when this resolves. False means that the command stopped before the event
   * was handled.
   */
  readonly handle: (event: DeliveryPayload) => Promise<boolean>;
  readonly info: (message: string) => void;
}

const pageSize = 50;

/**
 * Checks that the feed still has the events after a position, and replaces `now` by a cursor.
 *
 * @throws CliError if the position is too old or invalid
 */
export async function findPosition({ events }: Client, since: string): Promise<string> {
  try {
    const { after } = await events.list({ ...queryOf(since), limit: 1 });
    return since === 'now' ? after : since;
  } catch (error) {
    if (!isValidationError(error)) throw error;
    throw rejected(...error.messages, 'Use --since oldest or --since now.');
  }
}

/**
 * Handles the events after a position until stopped. Retries while the service is unavailable. Returns the position to
 * continue from, and the error that ended it early.
 */
export async function follow(client: Client, options: FollowOptions): Promise<{ position: string; error: unknown }> {
  const { stop, handle, intervalMs } = options;
  let position = options.since;
  try {
    for (;;) {
      const page = await read(client, position, options);
      if (page === null) return { position, error: null };
      let handled = 0;
      for (const event of page.data) {
        if (stop.aborted || !(await handle(event))) {
          return { position: await positionAfter(client, position, handled), error: null };
        }
        handled += 1;
      }
      position = page.after;
      if (!page.hasMore) await pause(intervalMs, stop);
    }
  } catch (error) {
    return { position, error };
  }
}

/** Reads the next page. Null if stopped. */
async function read({ events }: Client, position: string, options: FollowOptions): Promise<EventFeed | null> {
  const { stop, intervalMs, info } = options;
  for (let isUnavailable = false; !stop.aborted; await pause(intervalMs, stop)) {
    try {
      const page = await events.list({ ...queryOf(position), limit: pageSize }, { signal: stop });
      if (isUnavailable) info('The service is available again.');
      return page;
    } catch (error) {
      if (isAborted(error)) return null;
      if (!isTransient(error)) throw error;
      if (!isUnavailable) info(`${report(error).messages.join(' ')} Retrying until the service is available.`);
      isUnavailable = true;
    }
  }
  return null;
}

/**
 * The position after the first events of a page. Only the server knows it. If the request fails, these events are read
 * again.
 */
async function positionAfter({ events }: Client, position: string, count: number): Promise<string> {
  if (count === 0) return position;
  const page = await events.list({ ...queryOf(position), limit: count }, { maxRetries: 0 }).catch(() => null);
  return page?.after ?? position;
}

function queryOf(position: string): { after?: string } {
  return position === 'oldest' ? {} : { after: position };
}

function isTransient(error: unknown): boolean {
  return isConnectionError(error) || isTimeout(error) || isServerError(error) || isRateLimited(error);
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => {});
}
