import type { ActivityRow, InjectedFault } from '../history/history.ts';

/**
 * The job that detects overdue tasks runs every 30 s. This is twice that, because a task may just miss a slow run of
 * the job.
 */
const intervalMs = 60_000;
/** How long the job stays locked after its worker was killed. */
const lockMs = 30_000;

/** A time from when to when. */
interface Period {
  readonly from: number;
  to: number;
}

/** When a fact was decided, and when it was recorded. */
interface Detection {
  readonly at: number;
  readonly recordedAt: number;
}

/** A deadline of a task, the times at which the task was open in an active run, and what was recorded about it. */
export interface Deadline {
  readonly runTaskId: string;
  readonly deadlineAt: number;
  /** When the reminder is due; NaN if there is none. */
  readonly dueSoonAt: number;
  readonly open: readonly Readonly<Period>[];
  /** As overdue. */
  readonly detected: readonly Detection[];
  /** As due soon. */
  readonly reminded: readonly Detection[];
}

/** A deadline while its run is read. */
type MutableDeadline = Omit<Deadline, 'open'> & {
  readonly open: Period[];
  readonly detected: Detection[];
  readonly reminded: Detection[];
};

/** The maximum time, in milliseconds, to detect a deadline that passed, or a reminder that was due, at `from`. */
export function maxDelay(from: number, faults: readonly InjectedFault[]): number {
  let delay = intervalMs;
  for (const fault of faults.toSorted((one, other) => one.from - other.from)) {
    if (fault.kind === 'outage' || fault.target.startsWith('api')) continue;
    // A fault shortly before may have left the job locked.
    const counts = fault.to + lockMs >= from && fault.from <= from + delay;
    if (counts) delay += fault.to - fault.from + lockMs;
  }
  return delay;
}

/**
 * The deadlines of one run by its activity, and the facts that detected no current one. `end` is the time of the last
 * observation.
 */
export function deadlinesOf(facts: readonly ActivityRow[], end: number) {
  const all: MutableDeadline[] = [];
  const strays: ActivityRow[] = [];
  const current = new Map<string, MutableDeadline>();
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
          const dueSoonAt = Date.parse(String(fact.line.data['dueSoonAt']));
          const deadline = { runTaskId, deadlineAt, dueSoonAt, open: [], detected: [], reminded: [] };
          all.push(deadline);
          current.set(runTaskId, deadline);
        }
      }
      if (type === 'task.overdue' || type === 'task.due_soon') {
        const deadline = current.get(runTaskId);
        const noticed = type === 'task.overdue' ? deadline?.detected : deadline?.reminded;
        if (deadline?.deadlineAt === deadlineAt) noticed?.push({ at, recordedAt });
        else strays.push(fact);
      }
    }
    updateOpen(recordedAt);
  }
  return { deadlines: all, strays };
}
