import type { RunStatus } from '@runward/contract';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { runsOf, type Population } from './population.ts';

/** Days without activity after which a run is stalled, unless the filter sets another number. */
const stalledAfterDays = 7;

/** An active run without activity. `lastActivityAt` is in PostgreSQL's text format. */
export interface StalledRow {
  readonly runId: string;
  readonly publicId: string;
  readonly title: string;
  readonly status: RunStatus;
  readonly templateId: string;
  readonly ownerUserId: string;
  readonly lastActivityAt: string;
}

/** The stalled runs of a population. Runs that nobody has worked on for the longest time come first. */
export async function listStalled(db: Kysely<Tables>, population: Population, limit: number): Promise<StalledRow[]> {
  const { stalledForDays = stalledAfterDays } = population.filter;
  return runsOf(db, { ...population, filter: { ...population.filter, stalledForDays } })
    .select([
      'run.id as runId',
      'run.public_id as publicId',
      'run.title',
      'run.status',
      'run.template_id as templateId',
      'run.owner_user_id as ownerUserId',
      'run.last_activity_at as lastActivityAt',
    ])
    .orderBy('run.last_activity_at')
    .orderBy('run.id')
    .limit(limit)
    .execute();
}
