import type { Limits } from '@runward/contract';
import type { Logger } from 'pino';
import { openSmtp, type SmtpSettings } from '../adapters/smtp.ts';
import type { Database } from '../database/database.ts';
import { placeAllEvents } from '../webhooks/queries/place-events.ts';
import { numberOf } from '../words.ts';
import { composeMails } from './compose/compose-mails.ts';
import { notifyMembers } from './notify.ts';
import { organizationsWithWork, startCursors } from './queries/advance-cursors.ts';
import { createMailer, type Mailer } from './send/mailer.ts';

/** Tells members by mail what happened. */
export interface Mailing {
  /**
   * Makes notifications of the events of all organizations, and mails of those that are due. Throws an `AggregateError`
   * at the end if organizations failed.
   */
  write(signal: AbortSignal, now?: Date): Promise<void>;
  readonly mailer: Mailer;
}

/** What mailing needs. */
export interface MailingParts {
  readonly database: Database;
  readonly log: Logger;
  readonly limits: Limits;
  /** Where members reach this service, without a trailing slash. */
  readonly baseUrl: string;
  readonly retrySchedule: readonly number[];
}

/** The mail server, and how long a mail waits for further changes. */
interface MailSettings extends SmtpSettings {
  readonly delaySeconds: number;
}

/** Starts mailing, and adds it to a stack, whose disposal stops it. */
export async function openMailing(
  settings: MailSettings,
  parts: MailingParts,
  started: AsyncDisposableStack,
): Promise<Mailing> {
  const { database } = parts;
  const smtp = await openSmtp(settings);
  started.defer(() => smtp.close());
  const mailer = createMailer({ ...parts, smtp });
  const composing = { ...parts, domain: settings.from.address.slice(settings.from.address.indexOf('@') + 1) };
  started.defer(() => mailer.stop());
  return {
    mailer,
    write: async (signal, now = new Date()) => {
      await placeAllEvents(database, signal);
      await startCursors(database.em.fork());
      const failures: unknown[] = [];
      for (const id of await organizationsWithWork(database.em.fork(), now)) {
        if (signal.aborted) break;
        try {
          await notifyMembers(database, id, settings.delaySeconds, signal, now);
          await composeMails(database, id, composing, signal, now);
        } catch (error) {
          failures.push(error);
        }
      }
      mailer.notify();
      if (failures.length > 0)
        throw new AggregateError(failures, `Mails of ${numberOf(failures.length, 'organization')} were not written.`);
    },
  };
}
