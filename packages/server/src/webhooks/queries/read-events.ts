import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { eventsInScope } from '../../access/resource-scope.ts';
import type { Em } from '../../database/database.ts';

/** An event of the feed. */
export interface PlacedEvent {
  readonly position: number;
  readonly body: string;
}

/** Which part of the feed; `from` exclusive, `to` inclusive. */
export interface FeedPart {
  readonly from: number;
  readonly to: number;
  /** Leaves out what happened before. */
  readonly notBefore: Date | null;
  readonly limit: number;
}

/** The first events of a part of the feed that the caller may see, in its order. */
export async function readEvents(
  em: Em,
  actor: Actor,
  { from, to, notBefore, limit }: FeedPart,
): Promise<PlacedEvent[]> {
  const { rows } = await sql<PlacedEvent>`
    select position::float8 as position, body from events event
    where ${eventsInScope(actor)} and position > ${from} and position <= ${to}
      ${notBefore ? sql`and created_at >= ${notBefore.toISOString()}` : sql``}
    order by position limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
