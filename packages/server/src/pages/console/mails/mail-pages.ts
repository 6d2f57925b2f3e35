import type { Page } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { administratorsOnly } from '../administrators-only.ts';
import { lazyPage } from '../lazy-page.ts';

/** The pages on which owners and admins see which mails members got. */
export const mailPages: Readonly<Record<string, Page>> = {
  consoleMails: lazyPage('GET', consolePaths.mails, async () =>
    administratorsOnly((await import('./list-mails.ts')).listMails),
  ),
  consoleMail: lazyPage('GET', `${consolePaths.mails}/:id`, async () =>
    administratorsOnly((await import('./mail.ts')).showMail),
  ),
  consoleResendMail: lazyPage('POST', `${consolePaths.mails}/:id/resend`, async () =>
    administratorsOnly((await import('./mail.ts')).resendMail),
  ),
};
