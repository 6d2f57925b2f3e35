import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { reachableEvents } from '../../access/reach.ts';
import type { Em } from '../database.ts';

/** An event of the feed. */
export interface PlacedEvent {
  readonly position: number;
  readonly body: string;
}

/** Up to `limit` events the caller may see, after one position and up to another, in the order of the feed. */
export async function readEvents(
  em: Em,
  actor: Actor,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<PlacedEvent[]> {
  const { rows } = await sql<PlacedEvent>`
    select position::float8 as position, body from events event
    where ${reachableEvents(actor)} and position > ${from} and position <= ${to} order by position limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
