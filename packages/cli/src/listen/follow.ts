import { setTimeout as pause } from 'node:timers/promises';
import type { Contract, DeliveryPayload, Response } from '@runward/contract';
import {
  isAborted,
  isConnectionError,
  isRateLimited,
  isServerError,
  isTimeout,
  isValidationError,
  type Client,
} from '@runward/sdk';
import { refused, report } from '../errors.ts';
import { note } from '../terminal/notes.ts';

type FeedPage = Response<Contract['events']['list']>;

/** How the feed is followed. */
export interface Following {
  /** A place in the feed: a cursor, or `oldest`. */
  readonly since: string;
  /** The pause at the end of the feed. */
  readonly intervalMs: number;
  readonly stop: AbortSignal;
  /** Gets one event after another; false leaves the event for the next time, because it was told to stop. */
  readonly take: (event: DeliveryPayload) => Promise<boolean>;
}

const pageSize = 50;

/**
 * Makes a place of `now`, and checks that events after the place are still there.
 *
 * @throws CliError when they are not, or it is no place
 */
export async function findPlace({ events }: Client, since: string): Promise<string> {
  try {
    const { after } = await events.list({ ...queryOf(since), limit: 1 });
    return since === 'now' ? after : since;
  } catch (error) {
    if (!isValidationError(error)) throw error;
    throw refused(...error.messages, 'Begin with --since oldest, or with --since now.');
  }
}

/**
 * Hands over the events after a place until stopped, and waits out that the service is away. Answers the place to go on from, and the
 * error that ended it early.
 */
export async function follow(client: Client, following: Following): Promise<{ place: string; error: unknown }> {
  const { stop, take, intervalMs } = following;
  let place = following.since;
  try {
    for (;;) {
      const page = await read(client, place, following);
      if (page === null) return { place, error: null };
      let taken = 0;
      for (const event of page.data) {
        if (stop.aborted || !(await take(event))) return { place: await placeAfter(client, place, taken), error: null };
        taken += 1;
      }
      place = page.after;
      if (!page.hasMore) await rest(intervalMs, stop);
    }
  } catch (error) {
    return { place, error };
  }
}

/** The next page; null when it was stopped. */
async function read({ events }: Client, place: string, { stop, intervalMs }: Following): Promise<FeedPage | null> {
  for (let isAway = false; !stop.aborted; await rest(intervalMs, stop)) {
    try {
      const page = await events.list({ ...queryOf(place), limit: pageSize }, { signal: stop });
      if (isAway) note('The service answers again.');
      return page;
    } catch (error) {
      if (isAborted(error)) return null;
      if (!mayPass(error)) throw error;
      if (!isAway) note(`${report(error).messages.join(' ')} Trying on until it answers.`);
      isAway = true;
    }
  }
  return null;
}

/** The place behind the first events of a page: only the server can tell, and where it does not, they come once more. */
async function placeAfter({ events }: Client, place: string, count: number): Promise<string> {
  if (count === 0) return place;
  const page = await events.list({ ...queryOf(place), limit: count }, { maxRetries: 0 }).catch(() => null);
  return page?.after ?? place;
}

function queryOf(place: string): { after?: string } {
  return place === 'oldest' ? {} : { after: place };
}

function mayPass(error: unknown): boolean {
  return isConnectionError(error) || isTimeout(error) || isServerError(error) || isRateLimited(error);
}

async function rest(ms: number, stop: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: stop }).catch(() => {});
}
