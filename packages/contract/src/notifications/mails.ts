import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, paging } from '../page.ts';
import { id } from '../values.ts';
import { mailLimits, mailStatuses } from './kinds.ts';

/** Days for which mails are kept. */
export const mailRetentionDays = 30;

const mailStatus = z.enum(mailStatuses).meta({
  id: 'MailStatus',
  description:
    'PENDING: it waits to be sent. SENT: the mail server accepted it. BOUNCED: the mail server rejected it for good. FAILED: every ' +
    'attempt failed.',
});

const heldBy = z.enum(mailLimits).meta({
  id: 'MailLimit',
  description:
    'The limit of mails in 24 hours, to the member or to all members of the organization, that a mail waits for.',
});

const mail = component('Mail', 'A mail to a member.', {
  id: id.describe('Id of the mail.'),
  userId: id.describe('The member that it is for.'),
  to: z.string().describe('The address that it is sent to.'),
  subject: z.string().describe('Its subject.'),
  status: mailStatus,
  heldBy: heldBy.nullable().describe('The limit that it waits for; null for none.'),
  tries: z.int().min(0).describe('Attempts since it was written or last sent again.'),
  nextAttemptAt: z.iso.datetime().nullable().describe('When the next attempt is due; null if there is none.'),
  createdAt: z.iso.datetime().describe('When it was written.'),
  sentAt: z.iso.datetime().nullable().describe('When the mail server accepted it; null if it has not.'),
});

const attempt = component('MailAttempt', 'An attempt to send a mail.', {
  at: z.iso.datetime().describe('When the attempt began.'),
  response: z.string().nullable().describe('What the mail server said when it accepted the mail.'),
  error: z.string().nullable().describe('What the mail server said instead, or why it was not reached.'),
});

const wholeMail = mail
  .extend({
    messageId: z.string().describe('Its Message-ID, the same on every attempt.'),
    text: z.string().describe('Its text, without the link that stops mails.'),
    attempts: z.array(attempt).describe('All attempts, oldest first.'),
  })
  .meta({ id: 'WholeMail', description: 'A mail to a member with its text and attempts.' });

/** The mails to the members of the organization. */
export const mails = {
  list: {
    method: 'GET',
    path: '/mails',
    access: 'administrator',
    summary: 'List the mails to members, newest first',
    description: `Mails are kept for ${mailRetentionDays} days.`,
    query: z.strictObject({
      status: mailStatus.optional().describe('Only mails with this status. Default: all.'),
      userId: id.optional().describe('Only mails to this member. Default: all.'),
      ...paging,
    }),
    response: page(mail),
  },
  get: {
    method: 'GET',
    path: '/mails/:id',
    access: 'administrator',
    summary: 'Get a mail with its text and attempts',
    response: wholeMail,
  },
  resend: {
    method: 'POST',
    path: '/mails/:id/resend',
    access: 'administrator',
    summary: 'Send a mail again',
    description:
      'The retry schedule starts over, and the mail waits for no limit. Returns 400 during an attempt, within an hour after the mail was ' +
      'sent, and if the member is deactivated.',
    errors: ['attempt_in_progress', 'sent_recently', 'member_deactivated'],
    response: wholeMail,
  },
} as const satisfies Group;
