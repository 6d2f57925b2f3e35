import { html, type raw } from 'hono/html';
import type { OutgoingMail, Smtp } from '../../adapters/smtp.ts';
import { isAddress } from '../../mail-sender.ts';
import { oneLine } from '../../one-line.ts';

/** What a mail with a form link says. */
interface FormLinkMail {
  readonly to: string;
  readonly organizationName: string;
  /** Title of the task. */
  readonly title: string;
  readonly url: string;
  readonly expiresAt: Date;
}

/** A person waits for the result. */
const longestSendMs = 8_000;

/** Mails a form link. Returns null if the mail server has accepted the mail, or why not. */
export async function mailFormLink(smtp: Smtp, mail: FormLinkMail): Promise<string | null> {
  if (!isAddress(mail.to)) return 'No mail can be sent to this address.';
  const result = await smtp.send(writeFormLinkMail(mail), AbortSignal.timeout(longestSendMs));
  return result.outcome === 'ACCEPTED' ? null : result.error;
}

/** Writes the mail with a link. Names come from users: they are escaped in HTML, and one line everywhere. */
function writeFormLinkMail({ to, url, expiresAt, ...names }: FormLinkMail): OutgoingMail {
  const [organization, title] = [oneLine(names.organizationName), oneLine(names.title)];
  const subject = `${organization} asks you to fill in: ${title}`;
  const why = `${organization} asks you to fill in the form "${title}".`;
  const rules = `The link works until ${expiresAt.toISOString().slice(0, 10)}. Whoever has it can fill in the form, so do not pass it on.`;
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${subject}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 40em; margin: 0 auto; padding: 1em">
        <p>${why}</p>
        <p><a href="${url}">Open the form</a></p>
        <p>${rules}</p>
      </body>
    </html>` as ReturnType<typeof raw>;
  return { to, subject, text: `${why}\n\n${url}\n\n${rules}\n`, html: body.toString() };
}
