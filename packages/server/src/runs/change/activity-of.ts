import { hashOf, type Fact, type FactType, type HashedLine } from '@runward/engine';
import type { Author } from '../../access/actor.ts';
import { newId } from '../../ids.ts';

/** The end of an activity log: the number of its lines, and the hash of the last one. */
export interface ActivityHead {
  readonly activityCount: number;
  readonly activityHash: string;
}

/** What facts add to a run's activity log. */
export interface NewActivity {
  readonly lines: readonly (HashedLine & { readonly type: FactType })[];
  /** The end of the log after these lines. */
  readonly head: ActivityHead;
}

/** The lines of facts, chained to the previous line of the log. */
export function activityOf(before: ActivityHead, facts: readonly Fact[], author: Author): NewActivity {
  let { activityCount, activityHash } = before;
  const lines = facts.map(({ type, at, ...data }) => {
    activityCount += 1;
    const runTaskId = 'runTaskId' in data ? data.runTaskId : null;
    const line = { id: newId(), sequence: activityCount, type, at, actor: { ...author }, runTaskId, data };
    activityHash = hashOf(activityHash, line);
    return { ...line, hash: activityHash };
  });
  return { lines, head: { activityCount, activityHash } };
}
