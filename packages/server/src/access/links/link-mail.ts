import { html, type raw } from 'hono/html';
import type { OutgoingMail, Smtp } from '../../adapters/smtp.ts';
import { isAddress } from '../../mail-sender.ts';

/** What a mail about a link says, in lines of text. It is escaped in HTML. */
interface Letter {
  readonly to: string;
  readonly subject: string;
  /** Who is greeted; by default, nobody. */
  readonly name?: string;
  /** Why the person gets the mail. */
  readonly why: string;
  readonly rules: readonly string[];
}

/** What a mail with a link says. */
export interface LinkMail extends Letter {
  readonly url: string;
  /** What the link does, in HTML. */
  readonly action: string;
}

/** What a mail says whose code opens a link. */
export interface CodeMail extends Letter {
  readonly code: string;
}

/** A person waits for the result. */
const longestSendMs = 8_000;

/** Mails a link, or a code that opens one. Returns null if the mail server has accepted the mail, or why not. */
export async function mailLink(smtp: Smtp, mail: LinkMail | CodeMail): Promise<string | null> {
  if (!isAddress(mail.to)) return 'No mail can be sent to this address.';
  const result = await smtp.send(writeLinkMail(mail), AbortSignal.timeout(longestSendMs));
  return result.outcome === 'ACCEPTED' ? null : result.error;
}

/** Whether the mail server has accepted a mail with a link; `mailError` is why not. */
interface Mailing {
  readonly mailed: boolean;
  readonly mailError: string | null;
}

/** What a response says of a mail that is sent after the commit, until it is. */
export function notYetMailed(smtp: Smtp | null): Mailing {
  const why = 'It is not known yet whether the mail was accepted; hand the link over yourself, or make another one.';
  return { mailed: false, mailError: smtp && why };
}

/** Completes a response by mailing its link. */
export async function completeByMail<Response extends Mailing>(
  response: Response,
  smtp: Smtp,
  mail: LinkMail,
): Promise<Response> {
  const mailError = await mailLink(smtp, mail);
  return { ...response, mailed: mailError === null, mailError };
}

/** Writes a mail with a link, or with a code that opens one. */
export function writeLinkMail({ to, subject, name, why, rules, ...rest }: LinkMail | CodeMail): OutgoingMail {
  const [content, inHtml] =
    'code' in rest
      ? [rest.code, html`<strong style="font-size: 1.5em">${rest.code}</strong>`]
      : [rest.url, html`<a href="${rest.url}">${rest.action}</a>`];
  const greeting = name === undefined ? [] : [`Hello ${name},`];
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${subject}</title>
      </head>
      <body
        style="font-family: sans-serif; line-height: 1.5; overflow-wrap: anywhere; max-width: 40em; margin: 0 auto; padding: 1em"
      >
        ${name === undefined ? '' : html`<p>Hello <bdi>${name}</bdi>,</p>`}
        <p>${why}</p>
        <p>${inHtml}</p>
        <p>${rules.join(' ')}</p>
      </body>
    </html>` as ReturnType<typeof raw>;
  const text = `${[...greeting, why, content, rules.join('\n')].join('\n\n')}\n`;
  return { to, subject, text, html: body.toString() };
}
