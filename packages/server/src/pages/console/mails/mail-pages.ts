import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { pagesBelow } from '../lazy-page.ts';

const page = pagesBelow(consolePaths.mails, administratorsOnly);

/** The pages on which owners and admins see which mails members got. */
export const mailPages: Readonly<Record<string, Page>> = {
  consoleMails: page('GET', '', async () => (await import('./list-mails.ts')).listMails),
  consoleMail: page('GET', '/:id', async () => (await import('./mail.ts')).showMail),
  consoleResendMail: page('POST', '/:id/resend', async () => (await import('./mail.ts')).resendMail),
};
