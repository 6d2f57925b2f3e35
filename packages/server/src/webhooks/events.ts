import { eventRetentionDays, type DeliveryPayload, type Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { badRequest } from '../api-error.ts';
import { encodeCursor, readCursor } from '../paging.ts';
import { endOfFeed, placeEvents, type FeedEnd } from './queries/place-events.ts';
import { readEvents } from './queries/read-events.ts';
import { retentionMs, feedMs } from './retention.ts';

/** The feed of events. */
export const events: Handlers<Parts['events']> = {
  list: async ({ query: { after, limit, events }, em, actor, now, ports, inTransaction }) => {
    const { organizationId } = actor;
    const place = () => inTransaction((own) => placeEvents(own, organizationId));
    let end = await endOfFeed(em, organizationId);
    if (after === 'now') {
      while (end.unplacedSince !== null && end.unplacedSince <= now.getTime()) end = await place();
      return { data: [], hasMore: false, after: encodeCursor([end.position, now.getTime()]) };
    }

    const from = after === undefined ? 0 : positionOf(after, now);
    const oldest = now.getTime() - feedMs;
    // Skips the events that will be purged next, because the cursor of the first page would expire immediately.
    const notBefore = after === undefined ? new Date(oldest) : null;
    const read = async ({ position: to }: FeedEnd) =>
      to > from
        ? readEvents(em, actor, { from, to, notBefore, events, limit, bytes: ports.limits.pageBytes })
        : { rows: [], limit };
    let page = await read(end);
    if (page.rows.length <= page.limit && end.unplacedSince !== null) {
      end = await place();
      page = await read(end);
    }
    const shown = page.rows.slice(0, page.limit);
    const data = shown.map(({ body }) => JSON.parse(body) as DeliveryPayload);
    const last = page.rows.length > page.limit ? shown.at(-1) : undefined;
    const next = last
      ? { position: last.position, since: Date.parse(data.at(-1)?.timestamp ?? '') }
      : // The end of the feed, so that events that the caller does not get are not read again.
        { position: Math.max(from, end.position), since: Math.max(oldest, end.unplacedSince ?? now.getTime()) };
    const hasMore = last !== undefined || end.unplacedSince !== null;
    return { data, hasMore, after: encodeCursor([next.position, next.since]) };
  },
};

/** The position of a cursor. It also has the time from which events follow, to detect that some have been purged. */
function positionOf(after: string, now: Date): number {
  const key = readCursor(after, 'count', 'count');
  if (!key)
    throw badRequest([
      'after: must be the `after` of an earlier response, or now; omit it to start with the oldest event',
    ]);
  const [position, since] = key;
  if (now.getTime() - since > retentionMs) {
    throw badRequest('events_purged', [
      `after: is more than ${eventRetentionDays} days old, and later events have been purged; omit it to start with the oldest event`,
    ]);
  }
  return position;
}
