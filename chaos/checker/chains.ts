import { verifyChain } from '@runward/engine';
import type { History, Violation } from '../history/history.ts';

/** Checks that the activity of every run is one chain of hashes that ends in the head of the run. */
export function checkChains({ runs, activity }: Pick<History, 'runs' | 'activity'>): Violation[] {
  const ofRun = Map.groupBy(activity, ({ runId }) => runId);
  return runs.flatMap(({ id, title, activityCount: count, activityHash: hash }): Violation[] => {
    const lines = (ofRun.get(id) ?? []).map(({ line }) => line);
    const problem = verifyChain(lines, { count, hash });
    return problem ? [{ rule: 'broken chain', detail: `run ${id} "${title}": ${problem.message}` }] : [];
  });
}
