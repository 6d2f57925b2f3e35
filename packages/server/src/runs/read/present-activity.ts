import type { Contract, Response } from '@runward/contract';
import type { ListedFact } from '../queries/list-activity.ts';

/** A fact of a run, and who caused it. */
export function presentActivity(row: ListedFact): Response<Contract['runs']['activity']>['data'][number] {
  const { id, sequence, type, data, hash } = row;
  return {
    id,
    sequence,
    type,
    at: row.at.toISOString(),
    actor: { type: row.actorType, userId: row.actorUserId ?? null, apiKeyId: row.actorApiKeyId ?? null },
    runTaskId: typeof data['runTaskId'] === 'string' ? data['runTaskId'] : null,
    data,
    hash,
  };
}
