import type { Logger } from 'pino';
import { maximumConnections, maximumSendMs, type MailResult, type Smtp } from '../../adapters/smtp.ts';
import type { Database } from '../../database/database.ts';
import { withDeadline } from '../../deadline.ts';
import { isAddress } from '../../mail-sender.ts';
import { outsideTraces } from '../../telemetry/tracing.ts';
import { retryDelay } from '../../webhooks/delivery/retry-delay.ts';
import { rewriteMail } from '../compose/rewrite-mail.ts';
import { withUnsubscribeLink, type MailContent } from '../compose/write-mail.ts';
import { claimMail, recordMail, type ClaimedMail, type MailRecord } from '../queries/claim-mail.ts';
import { unsubscribePath, unsubscribeToken } from '../unsubscribe-token.ts';

/** Sends mails. The database knows which are due; the mailer claims and sends them. */
export interface Mailer {
  /** Sends mails that are due. Never throws. */
  notify(): void;
  /** Sends until nothing is due. */
  tick(): Promise<void>;
  /** Stops claiming, gives mails in progress two seconds, and returns the others to the queue. */
  stop(): Promise<void>;
}

/** The parts and settings of a mailer; times in seconds. */
export interface MailerParts {
  readonly database: Database;
  readonly smtp: Smtp;
  /** Where members reach this service, without a trailing slash. */
  readonly baseUrl: string;
  /** The delay before each attempt, including the first. */
  readonly retrySchedule: readonly number[];
  readonly log: Logger;
  /** After this time without a result, another worker sends a mail again. Longer than an attempt can last. */
  readonly leaseSeconds?: number;
}

const graceMs = 2_000;

/** Creates a mailer. Several mailers, in one or several processes, may use one database. */
export function createMailer(parts: MailerParts): Mailer {
  const { database, smtp, baseUrl, retrySchedule, log, leaseSeconds = maximumSendMs / 1000 + 30 } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isStopped = false;
  let isNotified = false;
  let working: Promise<void> | null = null;

  function notify(): void {
    if (isStopped) return;
    isNotified = true;
    working ??= outsideTraces(sendWhileNotified).finally(() => (working = null));
  }

  async function sendWhileNotified(): Promise<void> {
    while (isNotified) {
      isNotified = false;
      await Promise.all(Array.from({ length: maximumConnections }, sendDueMails));
    }
  }

  async function sendDueMails(): Promise<void> {
    try {
      for (;;) {
        if (isStopped) return;
        const mail = await claimMail(database.em.fork(), leaseSeconds);
        if (!mail) return;
        await recordMail(database.em.fork(), mail, await attempt(mail));
      }
    } catch (error) {
      log.error({ err: error }, 'could not claim or record a mail; retrying at the next poll');
    }
  }

  async function attempt(mail: ClaimedMail): Promise<MailRecord> {
    const at = new Date();
    const result = await send(mail, at);
    if (result.outcome !== 'ACCEPTED' && signal.aborted) return { attempt: null, status: 'PENDING', delay: 0 };
    const tried = { at: at.toISOString(), response: null, error: null };
    if (result.outcome === 'ACCEPTED') {
      return { attempt: { ...tried, response: result.response }, status: 'SENT', delay: null };
    }
    log.warn({ mail: mail.id, organizationId: mail.organizationId, error: result.error }, 'mail not accepted');
    const failed = { ...tried, error: result.error };
    if (result.outcome === 'REJECTED') return { attempt: failed, status: 'BOUNCED', delay: null };
    const delay = retryDelay(retrySchedule, mail.tries + 1, {
      statusCode: null,
      timedOut: false,
      retryAfterSeconds: null,
    });
    return { attempt: failed, status: delay === null ? 'FAILED' : 'PENDING', delay };
  }

  async function send(mail: ClaimedMail, now: Date): Promise<MailResult> {
    const { toAddress: to, messageId, isMemberActive } = mail;
    if (!isMemberActive) {
      return { outcome: 'REJECTED', error: 'The member is deactivated; reactivate them, then send the mail again.' };
    }
    if (!isAddress(to)) return { outcome: 'REJECTED', error: 'No mail can be sent to this address; correct it.' };
    let current: MailContent | null;
    try {
      current = await rewriteMail(database, mail, baseUrl);
    } catch (error) {
      log.error({ err: error, mail: mail.id }, 'could not write a mail again that has waited');
      return { outcome: 'FAILED', error: 'What this mail tells could not be read; see the log.' };
    }
    if (!current) return { outcome: 'REJECTED', error: 'Nothing in this mail concerns the member any more.' };
    const unsubscribeUrl = `${baseUrl}${unsubscribePath}/${unsubscribeToken(mail, now)}`;
    const { subject } = current;
    const content = withUnsubscribeLink(current, unsubscribeUrl);
    return smtp.send({ to, messageId, subject, ...content, unsubscribeUrl }, signal);
  }

  return {
    notify,
    tick: async () => {
      notify();
      await working;
    },
    stop: async () => {
      isStopped = true;
      await withDeadline(graceMs, Promise.resolve(working));
      stopping.abort();
      await working;
    },
  };
}
