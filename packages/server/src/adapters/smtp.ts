import type { NodemailerError } from 'nodemailer';
import type { MailSender } from '../mail-sender.ts';
import { inMailSpan } from '../telemetry/tracing-calls.ts';

/** A mail as the mail server gets it. */
export interface OutgoingMail {
  readonly to: string;
  /** The same on every attempt, so that mail programs show a mail once that was sent twice. Default: a new one. */
  readonly messageId?: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * Where one click stops mails to the recipient (RFC 8058). Default: nowhere, for what the recipient has asked for.
   */
  readonly unsubscribeUrl?: string;
}

/**
 * The result of an attempt. `response` is what the mail server said when it accepted the mail. A mail that it rejected
 * for good must not be sent again.
 */
export type MailResult =
  | { readonly outcome: 'ACCEPTED'; readonly response: string }
  | { readonly outcome: 'REJECTED' | 'FAILED'; readonly error: string };

/** A mail server. */
export interface Smtp {
  /** Sends a mail, within a minute. Never throws. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailResult>;
  close(): void;
}

/** Where mails are sent, and who they come from. */
export interface SmtpSettings {
  /** Like `smtps://user:password@mail.example.com`. */
  readonly url: string;
  readonly from: MailSender;
}

/** How many mails are sent at a time, each on a connection of its own. */
export const maximumConnections = 4;
/** After this time, an attempt has ended. */
export const maximumSendMs = 60_000;
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };
const longestReply = 1_000;
const noAccess = { disableFileAccess: true, disableUrlAccess: true };

/** Most processes have no mail server, so what speaks to one is loaded only for those that do. */
const loadNodemailer = () => import('nodemailer');

/** Prepares the connections to a mail server, which are opened when the first mail is sent. */
export async function openSmtp({ url, from }: SmtpSettings): Promise<Smtp> {
  const { createTransport } = await loadNodemailer();
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: maximumConnections,
    // Whether a mail was accepted before its connection was lost is unknown; the retry schedule decides when to repeat
    // it.
    maxRequeues: 0,
    ...timeouts,
    ...noAccess,
  });
  async function send(mail: OutgoingMail, signal: AbortSignal): Promise<MailResult> {
    const { to, messageId, unsubscribeUrl, ...content } = mail;
    try {
      const { response } = await transport.sendMail({
        ...content,
        from: { ...from },
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        ...(messageId !== undefined && { messageId }),
        headers: {
          ...(unsubscribeUrl !== undefined && {
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
          'Auto-Submitted': 'auto-generated',
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(maximumSendMs)]),
      });
      return { outcome: 'ACCEPTED', response: printable(response) };
    } catch (error) {
      return failureOf(error as NodemailerError);
    }
  }

  return {
    send: (mail, signal) => inMailSpan(url, () => send(mail, signal)),
    close: () => transport.close(),
  };
}

/**
 * Connects to a mail server, greets it and signs in, without sending a mail. Says what worked, as a clause. Throws if
 * something did not, or takes longer than a few seconds.
 */
export async function verifySmtp({ url }: Pick<SmtpSettings, 'url'>): Promise<string> {
  const { createTransport } = await loadNodemailer();
  const { host, username } = new URL(url);
  const isSignedIn = username !== '';
  const ms = 4_000;
  // Otherwise a server that does not offer to sign in would pass.
  const transport = createTransport({
    url,
    forceAuth: isSignedIn,
    connectionTimeout: ms,
    greetingTimeout: ms,
    socketTimeout: ms,
    dnsTimeout: ms,
    ...noAccess,
  });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
  return `${host} responds${isSignedIn ? ' and accepts the user and the password' : ''}`;
}

/** What went wrong. A wrong password or a sender that may not send is also a 5xx, but says nothing about the mail. */
function failureOf({ code, command, responseCode = 0, response, message }: NodemailerError): MailResult {
  const isAboutMail = command !== 'MAIL FROM' && (code === 'EENVELOPE' || code === 'EMESSAGE');
  const outcome = isAboutMail && responseCode >= 500 ? 'REJECTED' : 'FAILED';
  return { outcome, error: printable(response ?? message) };
}

/** Text that PostgreSQL can store, in one line. */
function printable(text: string): string {
  // Cutting text can leave half of a character at its end.
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, longestReply)
    .toWellFormed();
}
