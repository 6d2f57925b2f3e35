import type { EventName } from '@runward/contract';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import type { Em } from '../../database/database.ts';
import { readWithin, type Fitting, type PageSize } from '../../database/read-within.ts';

/** An event of the feed. */
export interface PlacedEvent {
  readonly position: number;
  readonly body: string;
}

/** A part of the feed; `from` exclusive, `to` inclusive. */
export interface FeedPart extends PageSize {
  readonly from: number;
  readonly to: number;
  /** Excludes events from before this time. */
  readonly notBefore: Date | null;
  /** Undefined: all. */
  readonly events: readonly EventName[] | undefined;
}

/** A page of the events in a part of the feed and in the caller's resource scope, in the order of the feed. */
export async function readEvents(
  em: Em,
  actor: Actor,
  { from, to, notBefore, events, ...size }: FeedPart,
): Promise<Fitting<PlacedEvent>> {
  const part = em
    .getKysely()
    .selectFrom('events as event')
    .where(rowsInScope('event', actor))
    .where('event.position', '>', from)
    .where('event.position', '<=', to);
  const recent = notBefore ? part.where('event.created_at', '>=', notBefore.toISOString()) : part;
  const wanted = events ? recent.where('event.event', 'in', events) : recent;
  const query = wanted
    .select(['event.position', 'event.body'])
    .$narrowType<{ position: number }>()
    .orderBy('event.position')
    .limit(size.limit + 1);
  return readWithin(em, query, size);
}
