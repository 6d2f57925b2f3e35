import type { History, Violation } from '../history/history.ts';
import { deadlinesOf, maxDelay } from './deadlines.ts';

/**
 * Checks that a deadline that passes while its task is open is detected once: not too early, and in time unless a fault
 * explains the delay. A deadline that is met is not detected. `end` is the time of the last observation.
 */
export function checkOverdue({ activity, faults }: History, end: number): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  for (const [runId, facts] of Map.groupBy(activity, ({ runId }) => runId)) {
    const { deadlines, strays } = deadlinesOf(facts, end);
    for (const { runTaskId } of strays.filter(({ type }) => type === 'task.overdue'))
      report('phantom overdue', `task ${runTaskId} of run ${runId} has no such deadline`);
    for (const { runTaskId, deadlineAt, open, detected } of deadlines) {
      const name = `task ${runTaskId} of run ${runId}, due ${new Date(deadlineAt).toISOString()},`;
      if (detected.length > 1) report('duplicate overdue', `${name} was detected as overdue ${detected.length} times`);
      const overdue = open
        .map(({ from, to }) => ({ from: Math.max(from, deadlineAt), to }))
        .filter(({ from, to }) => to > from);
      for (const { at, recordedAt } of detected) {
        if (at < deadlineAt || !overdue.some(({ from, to }) => recordedAt >= from && recordedAt <= to)) {
          report('phantom overdue', `${name} was detected as overdue at ${new Date(at).toISOString()}`);
        }
      }
      const first = detected[0]?.recordedAt ?? Infinity;
      const missed = overdue.find(({ from, to }) => Math.min(first, to) - from > maxDelay(from, faults));
      if (missed)
        report('late overdue', `${name} was open and ${detected.length === 0 ? 'never detected' : 'detected late'}`);
    }
  }
  return violations;
}
