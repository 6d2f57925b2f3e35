import type { ActivityRow, History, InjectedFault, Violation } from '../history/history.ts';

/**
 * The job that detects overdue tasks runs every 30 s. This is twice that, because a task may just miss a slow run of
 * the job.
 */
const intervalMs = 60_000;
/** How long the job stays locked after its worker was killed. */
const lockMs = 30_000;

/** A deadline of a task, and the times at which the task was open in an active run. */
interface Deadline {
  readonly runTaskId: string;
  readonly deadlineAt: number;
  readonly open: { from: number; to: number }[];
  readonly detected: { at: number; recordedAt: number }[];
}

/**
 * Checks that a deadline that passes while its task is open is detected once: not too early, and in time unless a fault
 * explains the delay. A deadline that is met is not detected. `end` is the time of the last observation.
 */
export function checkOverdue({ activity, faults }: History, end: number): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  for (const [runId, facts] of Map.groupBy(activity, ({ runId }) => runId)) {
    const { deadlines, strays } = deadlinesOf(facts, end);
    for (const { runTaskId } of strays)
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

/** The maximum time, in milliseconds, to detect a deadline that passed at `from`. */
function maxDelay(from: number, faults: readonly InjectedFault[]): number {
  let delay = intervalMs;
  for (const fault of faults.toSorted((one, other) => one.from - other.from)) {
    if (fault.kind === 'outage' || fault.target.startsWith('api')) continue;
    // A fault shortly before may have left the job locked.
    const counts = fault.to + lockMs >= from && fault.from <= from + delay;
    if (counts) delay += fault.to - fault.from + lockMs;
  }
  return delay;
}

function deadlinesOf(facts: readonly ActivityRow[], end: number) {
  const all: Deadline[] = [];
  const strays: ActivityRow[] = [];
  const current = new Map<string, Deadline>();
  const completed = new Set<string>();
  let active = false;
  // A fact has the time of its decision. If it then waits for another fact, it is recorded after that one.
  let recordedAt = 0;
  const isOpen = (runTaskId: string) => active && !completed.has(runTaskId);
  const updateOpen = (at: number) => {
    for (const { runTaskId, open } of all) {
      const last = open.at(-1);
      const running = last?.to === end ? last : undefined;
      const isCurrent = isOpen(runTaskId) && current.get(runTaskId)?.open === open;
      if (isCurrent && !running) open.push({ from: at, to: end });
      if (!isCurrent && running) running.to = at;
    }
  };
  for (const fact of facts) {
    const { type, at, runTaskId, deadlineAt } = fact;
    recordedAt = Math.max(recordedAt, at);
    if (type === 'run.started' || type === 'run.reopened') active = true;
    if (type === 'run.completed' || type === 'run.cancelled') active = false;
    if (runTaskId !== null) {
      if (type === 'task.completed') completed.add(runTaskId);
      if (type === 'task.reopened') completed.delete(runTaskId);
      if (type === 'task.due_date_changed') {
        current.delete(runTaskId);
        if (deadlineAt !== null) {
          const deadline = { runTaskId, deadlineAt, open: [], detected: [] };
          all.push(deadline);
          current.set(runTaskId, deadline);
        }
      }
      if (type === 'task.overdue') {
        const deadline = current.get(runTaskId);
        if (deadline?.deadlineAt === deadlineAt) deadline?.detected.push({ at, recordedAt });
        else strays.push(fact);
      }
    }
    updateOpen(recordedAt);
  }
  return { deadlines: all, strays };
}
