import type { RequestContext } from '../access/request-context.ts';
import { calendarOf } from '../calendar.ts';
import { listDateOnlyTasks, lockActiveRuns, writeDeadlines } from './queries/move-deadlines.ts';
import { authorOf, carryOut, lockAndLoad } from './change-run.ts';

const runsAtOnce = 500;

/**
 * Moves the deadline of every open date-only task of the organization's active runs to the end of the day its `dueAt` lies in, in a new
 * time zone. The caller has stored the zone under the organization's lock, so that no launch reckons with the old one meanwhile.
 *
 * Where a day ends says the calendar, as at launch and in the engine: PostgreSQL has time zone tables of another age, and the same
 * task must not be late at another moment depending on who reckoned. What follows is written for hundreds of runs at once, since the
 * engine would take milliseconds for each run while all of them are locked. The facts are those the engine would have stated.
 */
export async function moveDeadlines({ em, actor, now, wake }: RequestContext, timeZone: string): Promise<void> {
  const { organizationId } = actor;
  const { endOfDay } = calendarOf(timeZone);
  const author = authorOf(actor);
  const runs = await lockActiveRuns(em, organizationId);
  const touched = new Set<string>();
  for (let from = 0; from < runs.length; from += runsAtOnce) {
    const ids = runs.slice(from, from + runsAtOnce).map(({ id }) => id);
    const moved = (await listDateOnlyTasks(em, organizationId, ids)).flatMap(
      ({ runId, runTaskId, dueAt, deadlineAt: before }) => {
        const deadlineAt = endOfDay(dueAt);
        return deadlineAt === before ? [] : [{ runId, runTaskId, dueAt, deadlineAt }];
      },
    );
    if (moved.length > 0) await writeDeadlines(em, organizationId, { moved, author, at: now.toISOString() });
    for (const { runId } of moved) touched.add(runId);
  }

  // A run that is late now is found by the clock; one that is late no longer would stay OVERDUE until its next deadline.
  for (const { id: runId, status } of runs) {
    if (status === 'RUNNING' || !touched.has(runId)) continue;
    const run = await lockAndLoad(em, organizationId, { runId });
    if (run) await carryOut(em, run, { type: 'detectOverdue' }, author, now);
  }
  wake();
}
