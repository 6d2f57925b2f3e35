import type { Database } from './database/database.ts';
import { forgetOldDeliveries } from './webhooks/queries/purge-events.ts';
import { forgetOldSessions } from './organization/queries/purge-sessions.ts';
import { forgetOldAnswers } from './limits/stored-responses.ts';
import { organizationsBehind, placeEvents } from './webhooks/queries/place-events.ts';
import { inTransaction } from './database/transaction.ts';
import type { Task } from './scheduler/scheduler.ts';
import { detectOverdue } from './runs/detect-overdue.ts';
import type { Dispatcher } from './webhooks/delivery/dispatcher.ts';

/** What the clock wakes. All of it may run in several processes at a time. */
export function tasksOf(database: Database, dispatcher: Dispatcher): Task[] {
  return [
    { name: 'webhooks.dispatch', everySeconds: 1, run: async () => dispatcher.notify() },
    { name: 'runs.detect-overdue', everySeconds: 30, run: (signal) => detectOverdue({ database, dispatcher, signal }) },
    { name: 'events.place', everySeconds: 60, run: (signal) => placeAll(database, signal) },
    { name: 'deliveries.forget', everySeconds: 3_600, run: (signal) => forgetOldDeliveries(database, signal) },
    { name: 'answers.forget', everySeconds: 3_600, run: () => forgetOldAnswers(database.em.fork()) },
    { name: 'sessions.forget', everySeconds: 3_600, run: () => forgetOldSessions(database.em.fork()) },
  ];
}

/** Places the events nobody has read yet, so that the first to read does not have to wait for all of them. */
async function placeAll(database: Database, signal: AbortSignal): Promise<void> {
  for (const organizationId of await organizationsBehind(database.em.fork())) {
    if (signal.aborted) return;
    await inTransaction(database, (em) => placeEvents(em, organizationId));
  }
}
