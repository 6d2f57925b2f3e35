import { LockMode } from '@mikro-orm/core';
import type { Contract, Parts, Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { badRequest, found } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { newestFirst } from '../database/newest-first.ts';
import { User } from '../organization/entities/user.ts';
import { Mail } from './entities/mail.ts';

/** A mail that was sent is not sent again within this time, because its member may not have read it yet. */
const settledMs = 3_600_000;

/** The mails to the members of the organization. */
export const mails: Handlers<Parts['mails']> = {
  list: async ({ em, actor: { organizationId }, query: { status, userId, ...paging } }) => {
    const where = { organizationId, ...(status && { status }), ...(userId !== undefined && { userId }) };
    const page = await newestFirst(em, Mail, where, paging);
    return { ...page, data: page.data.map(presentMail) };
  },

  get: async ({ em, actor: { organizationId }, params: { id } }) =>
    presentWhole(found(await em.findOne(Mail, { organizationId, id }), 'Mail')),

  resend: async ({ params: { id }, ...context }) => {
    const { em, actor, now } = context;
    const { organizationId } = actor;
    const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
    const mail = found(await em.findOne(Mail, { organizationId, id }, lock), 'Mail');
    const { leaseToken, nextAttemptAt, sentAt, userId } = mail;
    if (leaseToken && nextAttemptAt && nextAttemptAt > now) {
      throw badRequest('attempt_in_progress', 'An attempt to send this mail is in progress; wait for its result.');
    }
    if (sentAt && now.getTime() - sentAt.getTime() < settledMs) {
      throw badRequest('sent_recently', 'This mail was sent less than an hour ago; wait before you send it again.');
    }
    if (await em.count(User, { organizationId, id: userId, status: 'DEACTIVATED' })) {
      throw badRequest('member_deactivated', 'The member is deactivated and gets no mail; reactivate them first.');
    }
    Object.assign(mail, { status: 'PENDING', heldBy: null, tries: 0, nextAttemptAt: now, leaseToken: null });
    await em.flush();
    const target = { type: 'MAIL', id, label: mail.subject } as const;
    await recordChange(context, { action: 'mail.resent', target, after: { userId, to: mail.toAddress } });
    return presentWhole(mail);
  },
};

function presentMail(mail: Mail): Response<Contract['mails']['list']>['data'][number] {
  const { id, userId, toAddress: to, subject, status, heldBy, tries, nextAttemptAt, createdAt, sentAt } = mail;
  return {
    id,
    userId,
    to,
    subject,
    status,
    heldBy: heldBy ?? null,
    tries,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
  };
}

function presentWhole(mail: Mail): Response<Contract['mails']['get']> {
  const { messageId, text, attempts } = mail;
  return { ...presentMail(mail), messageId, text, attempts: [...attempts] };
}
