import type { Body, Contract } from '@runward/contract';
import type { TaskState } from '@runward/engine';
import { mailLink } from '../../access/links/link-mail.ts';
import { newLinkToken } from '../../access/links/link-token.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { recordChange } from '../../audit-log/record-change.ts';
import type { Em } from '../../database/database.ts';
import { violates } from '../../database/errors.ts';
import { newId } from '../../ids.ts';
import { Organization } from '../../organization/entities/organization.ts';
import { User } from '../../organization/entities/user.ts';
import { createUser } from '../../organization/members/create-user.ts';
import { changeRun } from '../change/change-run.ts';
import { FormLink } from '../entities/form-link.ts';
import { formMail } from './link-mail.ts';
import { formLinkPath, formLinkPrefix } from './link-token.ts';

type Input = Body<Contract['runs.tasks']['createFormLink']>;

/** A link, and whether the mail server has accepted a mail with it; `mailError` is why not. */
interface SentLink {
  readonly link: FormLink;
  readonly email: string;
  readonly url: string;
  readonly mailed: boolean;
  readonly mailError: string | null;
}

const defaultHours = 168;

/**
 * Makes a form link, mails it if the service sends mail, and assigns the task to the guest that it is for. Throws a 400
 * if the address is not one of a guest, the task cannot be assigned, or no code could be mailed. Must not be called in a transaction.
 */
export async function createLink(
  context: RequestContext,
  task: Pick<TaskState, 'id' | 'definition' | 'assigneeId'>,
  { email, name = email, expiresInHours = defaultHours, requireCode = false }: Input,
): Promise<SentLink> {
  const { em, ports, now, actor } = context;
  const { organizationId, userId: createdByUserId } = actor;
  if (requireCode && !ports.smtp) {
    throw badRequest(['requireCode: the service sends no mail; leave it out, or have SMTP_URL and MAIL_FROM set']);
  }
  const { token, tokenHash } = newLinkToken(formLinkPrefix);
  const expiresAt = new Date(now.getTime() + expiresInHours * 3_600_000);
  const link = await context.inTransaction(async (own) => {
    const guest = await findOrAddGuest(own, context, { email, name });
    if (task.assigneeId !== guest.id) {
      const assigning = { ...context, em: own, inTransaction: <T>(work: (em: Em) => Promise<T>) => work(own) };
      const command = { type: 'assign', runTaskId: task.id, assigneeId: guest.id, assigneeGroupId: undefined } as const;
      await changeRun({ ...assigning, ifMatch: null }, { runTaskId: task.id }, command);
    }
    const ids = { organizationId, id: newId(), runTaskId: task.id, userId: guest.id, createdByUserId };
    const created = own.create(FormLink, { ...ids, tokenHash, createdAt: now, expiresAt, requireCode });
    await own.flush();
    const target = { type: 'FORM_LINK', id: created.id, label: email } as const;
    const after = { runTaskId: task.id, expiresAt: expiresAt.toISOString(), requireCode };
    await recordChange({ ...context, em: own }, { action: 'form_link.created', target, after });
    return created;
  });
  const url = `${ports.baseUrl}${formLinkPath}/${token}`;
  if (!ports.smtp) return { link, email, url, mailed: false, mailError: null };
  const { name: organizationName } = await em.findOneOrFail(Organization, { id: organizationId });
  const { title } = task.definition;
  const mail = formMail({ to: email, organizationName, title, url, expiresAt, requireCode });
  const mailError = await mailLink(ports.smtp, mail);
  return { link, email, url, mailed: mailError === null, mailError };
}

async function findOrAddGuest(em: Em, context: RequestContext, given: Pick<User, 'email' | 'name'>): Promise<User> {
  const { organizationId } = context.actor;
  const known = await em.findOne(User, { organizationId, email: given.email });
  if (known) return ensureGuest(known);
  try {
    return await createUser({ ...context, em }, { ...given, role: 'GUEST', passwordHash: null });
  } catch (error) {
    // Addresses are unique across all organizations. The message does not reveal which one uses it.
    if (violates(error, 'users_email_key'))
      throw badRequest('already_exists', ['email: already in use; use another address']);
    throw error;
  }
}

/** The member. Throws a 400 if they do not need a link, or must not have one. */
function ensureGuest(member: User): User {
  if (member.status === 'DEACTIVATED') {
    throw badRequest('member_deactivated', [
      'email: of a deactivated member; use another address, or ask an owner or admin to reactivate them',
    ]);
  }
  if (member.role !== 'GUEST') {
    throw badRequest(['email: of a member who signs in; assign the task to them instead']);
  }
  return member;
}
