import type { Logger } from 'pino';
import type { FileStore } from './adapters/file-store.ts';
import { purgeLines } from './audit-log/queries/purge-lines.ts';
import type { Database } from './database/database.ts';
import { removeOrphans } from './files/check-files.ts';
import type { Examiner } from './files/examination/examiner.ts';
import { purgeUploads } from './files/purge-uploads.ts';
import { purgeStoredResponses } from './limits/queries/stored-responses.ts';
import type { Mailing } from './notifications/mailing.ts';
import { purgeMails } from './notifications/queries/purge-mails.ts';
import { purgeSessions, purgeSpentTokens } from './organization/queries/purge-sessions.ts';
import { detectOverdue } from './runs/change/detect-overdue.ts';
import { indexValues } from './runs/change/index-values.ts';
import { syncRules } from './runs/change/sync-rules.ts';
import { foldCounters } from './runs/queries/fold-counters.ts';
import type { Loop } from './scheduler/notify-regularly.ts';
import type { Job } from './scheduler/scheduler.ts';
import type { Dispatcher } from './webhooks/delivery/dispatcher.ts';
import { placeAllEvents } from './webhooks/queries/place-events.ts';
import { purgeDeliveries } from './webhooks/queries/purge-deliveries.ts';
import { purgeEvents } from './webhooks/queries/purge-events.ts';

/** The parts that the jobs and the loops use. */
export interface JobParts {
  readonly database: Database;
  readonly log: Logger;
  readonly dispatcher: Dispatcher;
  readonly examiner: Examiner;
  readonly store: FileStore;
  /** Null if the service sends no mail. */
  readonly mailing: Mailing | null;
}

/**
 * Bytes without a row belong to an upload in progress, or were left by a crash, or by an upload to S3 that ended after
 * its confirmation.
 */
const orphanedMs = 24 * 3_600_000;

/** The jobs of the service. Each may run in several processes at the same time. */
export function jobsOf({ database, log, dispatcher, store, mailing }: JobParts): Job[] {
  return [
    { name: 'runs.detect-overdue', everySeconds: 30, run: (signal) => detectOverdue({ database, dispatcher, signal }) },
    { name: 'runs.sync-rules', everySeconds: 3, run: (signal) => syncRules({ database, dispatcher, signal }) },
    { name: 'runs.index-values', everySeconds: 3, run: (signal) => indexValues({ database, log, signal }) },
    { name: 'runs.fold-counters', everySeconds: 10, run: (signal) => foldCounters(database.em.fork(), signal) },
    { name: 'files.purge', everySeconds: 3_600, run: (signal) => purgeUploads(database.em.fork(), store, signal) },
    { name: 'files.sweep', everySeconds: 86_400, run: (signal) => sweepFiles(database, store, signal) },
    { name: 'events.place', everySeconds: 60, run: (signal) => placeAllEvents(database, signal) },
    { name: 'mails.write', everySeconds: 5, run: async (signal) => mailing?.write(signal) },
    { name: 'mails.purge', everySeconds: 3_600, run: (signal) => purgeMails(database.em.fork(), signal) },
    { name: 'deliveries.purge', everySeconds: 3_600, run: (signal) => purgeEvents(database, signal) },
    { name: 'webhooks.purge', everySeconds: 300, run: (signal) => purgeDeliveries(database.em.fork(), signal) },
    { name: 'responses.purge', everySeconds: 3_600, run: (signal) => purgeStoredResponses(database.em.fork(), signal) },
    { name: 'audit-log.purge', everySeconds: 3_600, run: (signal) => purgeLines(database.em.fork(), signal) },
    { name: 'sessions.purge', everySeconds: 3_600, run: (signal) => purgeSignIns(database, signal) },
  ];
}

/** The loops of this process, which find by themselves what is due. They need no job store. */
export function loopsOf({ dispatcher, examiner, mailing }: JobParts): Loop[] {
  return [
    { everySeconds: 1, notify: () => dispatcher.notify() },
    { everySeconds: 2, notify: () => examiner.notify() },
    { everySeconds: 5, notify: () => mailing?.mailer.notify() },
  ];
}

/** Removes files without a row from the file store. */
async function sweepFiles(database: Database, store: FileStore, signal: AbortSignal): Promise<void> {
  await removeOrphans(database.em.fork(), store, new Date(Date.now() - orphanedMs), signal);
}

/** Deletes expired sessions, and what could be used once to begin or end one. */
async function purgeSignIns({ em }: Database, signal: AbortSignal): Promise<void> {
  await purgeSessions(em.fork(), signal);
  await purgeSpentTokens(em.fork(), signal);
}
