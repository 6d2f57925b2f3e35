import type { FactType } from '@runward/engine';
import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import { parametersOf, sampleOf, type Sample } from '../../database/inspect/sample.ts';
import { readWithin, type Fitting, type PageSize } from '../../database/read-within.ts';
import { statement } from '../../database/statement.ts';
import { Activity } from '../entities/activity.ts';
import type { Run } from '../entities/run.ts';

/** A fact with its author. */
export type ListedFact = Omit<Activity, 'organizationId' | 'runId' | 'endsChange'>;

/** Other requests are served between two batches. */
const batchSize = 250;

/** Facts of a run: all of them, or those of some types about one task or value. */
export interface Facts {
  readonly organizationId: string;
  readonly runId: string;
  readonly about?: {
    readonly types: readonly FactType[];
    readonly property: 'runTaskId' | 'fieldValueId';
    readonly id: string;
  };
}

function factsIn(em: Em, { organizationId, runId, about }: Facts) {
  const all = em
    .getKysely()
    .selectFrom('activity')
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId);
  if (about === undefined) return all;
  const { types, property, id } = about;
  return all
    .where('type', 'in', types)
    .where(({ eb, ref }) => eb(sql<string>`${ref('data')} ->> ${sql.lit(property)}`, '=', id));
}

/** The number of facts. */
export async function countActivity(em: Em, facts: Facts): Promise<number> {
  const { total } = await factsIn(em, facts).select(countAs('total')).executeTakeFirstOrThrow();
  return total;
}

/** A page of facts before a sequence number, newest first. */
export async function listActivity(
  em: Em,
  facts: Facts,
  { before, ...size }: PageSize & { readonly before: number | undefined },
): Promise<Fitting<ListedFact>> {
  const all = factsIn(em, facts);
  const rest = before === undefined ? all : all.where('sequence', '<', before);
  const query = rest
    .select([
      'sequence',
      'id',
      'type',
      'at',
      'actor_type as actorType',
      'actor_user_id as actorUserId',
      'actor_api_key_id as actorApiKeyId',
      'data',
      'hash',
    ])
    .orderBy('sequence', 'desc')
    .limit(size.limit + 1);
  const { rows, limit } = await readWithin(em, query, size);
  return { rows: rows.map((row) => Object.assign(row, { at: new Date(row.at) })), limit };
}

/**
 * The newest `limit` facts of a run up to a sequence number, oldest first, in batches. Throws if `signal` is aborted.
 */
export async function* readActivity(
  em: Em,
  organizationId: string,
  runId: string,
  { until, limit }: { until: number; limit: number },
  signal?: AbortSignal,
): AsyncGenerator<readonly Activity[]> {
  for (let after = Math.max(0, until - limit); after < until; after += batchSize) {
    signal?.throwIfAborted();
    const sequence = { $gt: after, $lte: Math.min(until, after + batchSize) };
    const options = { orderBy: { sequence: 'asc' }, disableIdentityMap: true } as const;
    yield await em.find(Activity, { organizationId, runId, sequence }, options);
  }
}

/** The last fact of a run at or before a timestamp. */
export async function lastActivityUntil(
  em: Em,
  organizationId: string,
  runId: string,
  at: string,
): Promise<Activity | null> {
  const options = { orderBy: { sequence: 'desc' }, disableIdentityMap: true } as const;
  return em.findOne(Activity, { organizationId, runId, at: { $lte: new Date(at) } }, options);
}

/** The end of a run's activity log as the run records it. */
export type RecordedEnd = Pick<Run, 'organizationId' | 'id' | 'activityCount' | 'activityHash'>;

const sample = statement<RecordedEnd>(
  sampleOf(
    `organization_id as "organizationId", id, activity_count as "activityCount", activity_hash as "activityHash"`,
    'runs',
  ),
);

/** The ends of the logs of some runs. */
export function sampleEnds(em: Em, of: Sample): Promise<RecordedEnd[]> {
  return sample(em, ...parametersOf(of));
}
