import { eventRetentionDays, type Contract, type DeliveryPayload } from '@runward/contract';
import { endOfFeed, placeEvents } from '../db/queries/place-events.ts';
import { readEvents } from '../db/queries/read-events.ts';
import { badRequest } from '../fault.ts';
import type { Handlers } from './handler.ts';
import { encodeCursor, readCursor } from './paging.ts';

const retentionMs = eventRetentionDays * 86_400_000;

/** The feed of events. */
export const events: Handlers<Contract['events']> = {
  list: async ({ query: { after, limit }, em, actor, now, inTransaction }) => {
    const given = after === undefined || after === 'now' ? 0 : positionOf(after, now);
    const end =
      (await endOfFeed(em, actor.organizationId)) ??
      (await inTransaction((own) => placeEvents(own, actor.organizationId)));
    const from = after === 'now' ? end : given;
    const rows = await readEvents(em, actor, { from, to: end, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const last = hasMore ? shown.at(-1)?.position : undefined;
    return {
      data: shown.map(({ body }) => JSON.parse(body) as DeliveryPayload),
      hasMore,
      // The end rather than the last event shown: what the caller may not see is not looked at twice.
      after: encodeCursor([last ?? Math.max(from, end), now.getTime()]),
    };
  },
};

/** The position a cursor leads to. It knows when it was given, and so whether events after it have been removed since. */
function positionOf(after: string, now: Date): number {
  const key = readCursor(after, 'count', 'count');
  if (!key)
    throw badRequest([
      'after: must be the `after` of an earlier answer, or now; leave it out to begin with the oldest',
    ]);
  const [position, givenAt] = key;
  if (now.getTime() - givenAt > retentionMs) {
    throw badRequest([
      `after: is older than ${eventRetentionDays} days, and events since then were removed; leave it out to begin with the oldest`,
    ]);
  }
  return position;
}
