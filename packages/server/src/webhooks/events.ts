import { eventRetentionDays, type Contract, type DeliveryPayload } from '@runward/contract';
import { endOfFeed, placeEvents } from './queries/place-events.ts';
import { readEvents } from './queries/read-events.ts';
import { keptMs, shownMs } from './retention.ts';
import { badRequest } from '../api-error.ts';
import type { Handlers } from '../access/handler.ts';
import { encodeCursor, readCursor } from '../paging.ts';

/** The feed of events. */
export const events: Handlers<Contract['events']> = {
  list: async ({ query: { after, limit }, em, actor, now, inTransaction }) => {
    const given = after === undefined || after === 'now' ? 0 : positionOf(after, now);
    const end =
      (await endOfFeed(em, actor.organizationId)) ??
      (await inTransaction((own) => placeEvents(own, actor.organizationId)));
    const from = after === 'now' ? end : given;
    // What is removed next is not begun with, or the cursor of the first page would be too old at once.
    const notBefore = after === undefined ? new Date(now.getTime() - shownMs) : null;
    const rows = await readEvents(em, actor, { from, to: end, notBefore, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const data = shown.map(({ body }) => JSON.parse(body) as DeliveryPayload);
    const last = shown.at(-1);
    const next =
      hasMore && last
        ? { position: last.position, since: Date.parse(data.at(-1)?.timestamp ?? '') }
        : // The end rather than the last event shown: what the caller may not see is not looked at twice.
          { position: Math.max(from, end), since: now.getTime() };
    return { data, hasMore, after: encodeCursor([next.position, next.since]) };
  },
};

/** The position a cursor leads to. It knows from when on events follow it, and so whether some of them have been removed. */
function positionOf(after: string, now: Date): number {
  const key = readCursor(after, 'count', 'count');
  if (!key)
    throw badRequest([
      'after: must be the `after` of an earlier response, or now; omit it to start with the oldest event',
    ]);
  const [position, since] = key;
  if (now.getTime() - since > keptMs) {
    throw badRequest([
      `after: is more than ${eventRetentionDays} days old, and later events have been purged; omit it to start with the oldest event`,
    ]);
  }
  return position;
}
