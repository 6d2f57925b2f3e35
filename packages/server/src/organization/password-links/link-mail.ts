import { html, type raw } from 'hono/html';
import type { OutgoingMail, Smtp } from '../../adapters/smtp.ts';
import { isAddress } from '../../mail-sender.ts';
import { oneLine } from '../../one-line.ts';
import type { PasswordLink } from '../entities/password-link.ts';
import { linkHours } from './link-token.ts';

/** What a mail with a link says. */
export interface LinkMail extends Pick<PasswordLink, 'purpose'> {
  readonly to: string;
  /** The name of the member. */
  readonly name: string;
  readonly organizationName: string;
  readonly url: string;
}

/** A person waits for the result. */
const longestSendMs = 8_000;

/** Mails a link. Returns null if the mail server has accepted the mail, or why not. */
export async function mailLink(smtp: Smtp, mail: LinkMail): Promise<string | null> {
  if (!isAddress(mail.to)) return 'No mail can be sent to this address.';
  const result = await smtp.send(writeLinkMail(mail), AbortSignal.timeout(longestSendMs));
  return result.outcome === 'ACCEPTED' ? null : result.error;
}

/** Writes the mail with a link. Names come from users: they are escaped in HTML, and one line everywhere. */
export function writeLinkMail({ to, purpose, url, ...names }: LinkMail): OutgoingMail {
  const [name, organization] = [oneLine(names.name), oneLine(names.organizationName)];
  const isInvitation = purpose === 'INVITATION';
  const subject = isInvitation ? `Your invitation to Runward at ${organization}` : `Reset your password for Runward`;
  const why = isInvitation
    ? `You are invited to work with Runward at ${organization}. Choose a password to sign in:`
    : `Somebody asked for a new password for your account at ${organization}. Choose it here:`;
  const rules = `The link works once, within ${linkHours} hours. Do not pass it on.`;
  const otherwise = isInvitation
    ? 'If you did not expect this mail, ignore it.'
    : 'If it was not you, ignore this mail: your password stays as it is.';
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${subject}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 40em; margin: 0 auto; padding: 1em">
        <p>Hello <bdi>${name}</bdi>,</p>
        <p>${why}</p>
        <p><a href="${url}">${isInvitation ? 'Accept the invitation' : 'Choose a new password'}</a></p>
        <p>${rules} ${otherwise}</p>
      </body>
    </html>` as ReturnType<typeof raw>;
  return {
    to,
    subject,
    text: `Hello ${name},\n\n${why}\n\n${url}\n\n${rules}\n${otherwise}\n`,
    html: body.toString(),
  };
}
