import { openSmtp, type Smtp } from '@runward/server/internal/adapters/smtp';
import type { TestFn } from 'ava';
import { startSmtp, type ReceivedMail, type SmtpBehavior } from './smtp.ts';

/** A mail server, the connection of a service to it, and the mails that it got for an address, oldest first. */
export interface UsedSmtp {
  readonly smtp: Smtp;
  readonly mailsTo: (email: string) => ReceivedMail[];
}

/** Starts a mail server for the tests of a file. `sender` is the name that its mails are from. */
export async function useSmtp(test: TestFn, behavior: SmtpBehavior, sender = 'Runward'): Promise<UsedSmtp> {
  const server = await startSmtp(behavior);
  const smtp = await openSmtp({ url: server.url, from: { name: sender, address: 'runward@example.com' } });
  test.after.always(async () => {
    smtp.close();
    await server[Symbol.asyncDispose]();
  });
  return { smtp, mailsTo: (email) => server.mails.filter(({ to }) => to === email) };
}
