import type { History, Violation } from '../history/history.ts';
import { deadlinesOf, maxDelay } from './deadlines.ts';

/**
 * Checks that each deadline has its reminder once: not before it is due, not after the deadline, and in time unless a
 * fault explains the delay. A deadline whose task ends before has none, and so has one that passes before the reminder
 * can be recorded. `end` is the time of the last observation.
 */
export function checkReminders({ activity, faults }: Pick<History, 'activity' | 'faults'>, end: number): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  for (const [runId, facts] of Map.groupBy(activity, ({ runId }) => runId)) {
    const { deadlines, strays } = deadlinesOf(facts, end);
    for (const { runTaskId } of strays.filter(({ type }) => type === 'task.due_soon'))
      report('phantom reminder', `task ${runTaskId} of run ${runId} has no such deadline`);
    for (const { runTaskId, deadlineAt, dueSoonAt, open, reminded } of deadlines) {
      const name = `task ${runTaskId} of run ${runId}, due ${new Date(deadlineAt).toISOString()},`;
      if (reminded.length > 1) report('duplicate reminder', `${name} has ${reminded.length} reminders`);
      const wanted = open
        .map(({ from, to }) => ({ from: Math.max(from, dueSoonAt), to: Math.min(to, deadlineAt) }))
        .filter(({ from, to }) => to > from);
      for (const { at } of reminded) {
        if (!wanted.some(({ from, to }) => at >= from && at <= to))
          report('phantom reminder', `${name} was reminded of at ${new Date(at).toISOString()}`);
      }
      const first = reminded[0]?.recordedAt ?? Infinity;
      const missed = wanted.find(({ from, to }) => Math.min(first, to) - from > maxDelay(from, faults));
      if (missed) {
        const rule = reminded.length === 0 ? 'lost reminder' : 'late reminder';
        report(rule, `${name} was open from ${new Date(missed.from).toISOString()}`);
      }
    }
  }
  return violations;
}
