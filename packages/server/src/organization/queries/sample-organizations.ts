import type { Em } from '../../database/database.ts';
import type { Sample } from '../../database/inspect/sample.ts';
import { statement } from '../../database/statement.ts';
import { firstIdOf } from '../../ids.ts';
import { restingOrganizations } from '../moves/resting.ts';

const choose = statement<{ id: string; createdMs: number }>(`
  select id, (extract(epoch from created_at) * 1000)::float8 as "createdMs" from organizations
  where id not in ${restingOrganizations} order by random() limit $1`);

/**
 * Chooses up to `most` organizations at random, and a time since the oldest of them was created: of each, rows from
 * that time on are read. `random` is from 0 to 1.
 */
export async function sampleOrganizations(em: Em, most: number, random = Math.random()): Promise<Sample> {
  const chosen = await choose(em, most);
  const now = Date.now();
  const oldest = Math.min(now, ...chosen.map(({ createdMs }) => createdMs));
  const from = firstIdOf(new Date(Math.round(oldest + random * (now - oldest))));
  return { organizationIds: chosen.map(({ id }) => id), from, most };
}
