import type { ActivityRow, Evidence, Incident, Violation } from '../evidence.ts';

/** The check for deadlines runs every 30 s; twice that, in case one is just missed and takes its time. */
const intervalMs = 60_000;
/** The job of a worker that was killed stays locked as long. */
const lockMs = 30_000;

/** A deadline of a task, and the times at which the task was open in an active run. */
interface Deadline {
  readonly runTaskId: string;
  readonly deadlineAt: number;
  readonly open: { from: number; to: number }[];
  readonly said: { at: number; placed: number }[];
}

/**
 * A deadline that passes while its task is open is said once: no earlier, not twice, and in time unless what happened meanwhile explains
 * the delay. One that was met is not said. `end` is when the system was last looked at.
 */
export function checkOverdue({ activity, incidents }: Evidence, end: number): Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, detail: string) => violations.push({ rule, detail });
  for (const [runId, facts] of Map.groupBy(activity, ({ runId }) => runId)) {
    const { deadlines, strays } = deadlinesOf(facts, end);
    for (const { runTaskId } of strays)
      say('overdue made up', `task ${runTaskId} of run ${runId} has no such deadline`);
    for (const { runTaskId, deadlineAt, open, said } of deadlines) {
      const name = `task ${runTaskId} of run ${runId}, due ${new Date(deadlineAt).toISOString()}`;
      if (said.length > 1) say('overdue twice', `${name} was said to be overdue ${said.length} times`);
      const late = open
        .map(({ from, to }) => ({ from: Math.max(from, deadlineAt), to }))
        .filter(({ from, to }) => to > from);
      for (const { at, placed } of said) {
        if (at < deadlineAt || !late.some(({ from, to }) => placed >= from && placed <= to)) {
          say('overdue made up', `${name} was said to be overdue at ${new Date(at).toISOString()}`);
        }
      }
      const first = said[0]?.placed ?? Infinity;
      const missed = late.find(({ from, to }) => Math.min(first, to) - from > patience(from, incidents));
      if (missed)
        say('overdue late', `${name} was open, ${said.length === 0 ? 'and nobody said so' : 'and said late'}`);
    }
  }
  return violations;
}

/** How long after a moment a deadline may stay unsaid. */
function patience(from: number, incidents: readonly Incident[]): number {
  let least = intervalMs;
  for (const incident of incidents.toSorted((one, other) => one.from - other.from)) {
    if (incident.kind === 'outage' || incident.target.startsWith('api')) continue;
    // An incident shortly before may have left the job locked.
    const counts = incident.to + lockMs >= from && incident.from <= from + least;
    if (counts) least += incident.to - incident.from + lockMs;
  }
  return least;
}

function deadlinesOf(facts: readonly ActivityRow[], end: number) {
  const all: Deadline[] = [];
  const strays: ActivityRow[] = [];
  const current = new Map<string, Deadline>();
  const completed = new Set<string>();
  let active = false;
  // A fact has the time at which it was decided upon; one that then had to wait for another is placed after that.
  let placed = 0;
  const isOpen = (runTaskId: string) => active && !completed.has(runTaskId);
  const settle = (at: number) => {
    for (const { runTaskId, open } of all) {
      const last = open.at(-1);
      const running = last?.to === end ? last : undefined;
      const wanted = isOpen(runTaskId) && current.get(runTaskId)?.open === open;
      if (wanted && !running) open.push({ from: at, to: end });
      if (!wanted && running) running.to = at;
    }
  };
  for (const fact of facts) {
    const { type, at, runTaskId, deadlineAt } = fact;
    placed = Math.max(placed, at);
    if (type === 'run.started' || type === 'run.reopened') active = true;
    if (type === 'run.completed' || type === 'run.cancelled') active = false;
    if (runTaskId !== null) {
      if (type === 'task.completed') completed.add(runTaskId);
      if (type === 'task.reopened') completed.delete(runTaskId);
      if (type === 'task.due_date_changed') {
        current.delete(runTaskId);
        if (deadlineAt !== null) {
          const deadline = { runTaskId, deadlineAt, open: [], said: [] };
          all.push(deadline);
          current.set(runTaskId, deadline);
        }
      }
      if (type === 'task.overdue') {
        const deadline = current.get(runTaskId);
        if (deadline?.deadlineAt === deadlineAt) deadline?.said.push({ at, placed });
        else strays.push(fact);
      }
    }
    settle(placed);
  }
  return { deadlines: all, strays };
}
