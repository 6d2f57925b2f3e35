import type { LinkMail } from '../../access/links/link-mail.ts';
import { oneLine } from '../../one-line.ts';
import type { PasswordLink } from '../entities/password-link.ts';
import { linkHours } from './link-token.ts';

/** The link that a mail is about. */
interface PasswordMail extends Pick<PasswordLink, 'purpose'> {
  readonly to: string;
  /** The name of the member. */
  readonly name: string;
  readonly organizationName: string;
  readonly url: string;
}

/** What the mail with a password link says. Names come from users, and are one line everywhere. */
export function passwordMail({ to, purpose, url, ...names }: PasswordMail): LinkMail {
  const [name, organization] = [oneLine(names.name), oneLine(names.organizationName)];
  const isInvitation = purpose === 'INVITATION';
  return {
    to,
    name,
    url,
    subject: isInvitation ? `Your invitation to Runward at ${organization}` : `Reset your password for Runward`,
    why: isInvitation
      ? `You are invited to work with Runward at ${organization}. Choose a password to sign in:`
      : `Somebody asked for a new password for your account at ${organization}. Choose it here:`,
    action: isInvitation ? 'Accept the invitation' : 'Choose a new password',
    rules: [
      `The link works once, within ${linkHours} hours. Do not pass it on.`,
      isInvitation
        ? 'If you did not expect this mail, ignore it.'
        : 'If it was not you, ignore this mail: your password stays as it is.',
    ],
  };
}
