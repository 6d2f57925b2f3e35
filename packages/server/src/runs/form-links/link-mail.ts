import type { LinkMail } from '../../access/links/link-mail.ts';
import { oneLine } from '../../one-line.ts';
import { shortTimes } from '../../short-times.ts';

/** The link that a mail is about. */
interface FormMail extends Pick<LinkMail, 'to' | 'url'> {
  readonly organizationName: string;
  /** The time zone of the organization. */
  readonly timeZone: string;
  /** Title of the task. */
  readonly title: string;
  readonly expiresAt: Date;
  readonly requireCode: boolean;
}

/** What the mail with a form link says. Names come from users, and are one line everywhere. */
export function formMail({ to, url, timeZone, expiresAt, requireCode, ...names }: FormMail): LinkMail {
  const [organization, title] = [oneLine(names.organizationName), oneLine(names.title)];
  return {
    to,
    url,
    subject: `${organization} asks you to fill in: ${title}`,
    why: `${organization} asks you to fill in the form "${title}".`,
    action: 'Open the form',
    rules: [
      `The link works until ${shortTimes(timeZone).short(expiresAt.toISOString())} (${timeZone}).`,
      requireCode
        ? 'It asks for a code, which is sent to this address.'
        : 'Whoever has it can fill in the form, so do not pass it on.',
    ],
  };
}
