import type { Body, Contract } from '@runward/contract';
import type { TaskState } from '@runward/engine';
import { newLinkToken } from '../../access/links/link-token.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { recordChange } from '../../audit-log/record-change.ts';
import { violates } from '../../database/errors.ts';
import { newId } from '../../ids.ts';
import { User } from '../../organization/entities/user.ts';
import { createUser } from '../../organization/members/create-user.ts';
import { changeRun } from '../change/change-run.ts';
import { FormLink } from '../entities/form-link.ts';
import { formLinkPath, formLinkPrefix } from './link-token.ts';

type Input = Body<Contract['runs.tasks']['createFormLink']>;

/** A new link: its URL, which is not stored, and its row, which contains a hash. */
interface NewLink {
  readonly url: string;
  readonly row: FormLink;
}

const defaultHours = 168;

/**
 * Makes a form link and assigns the task to the guest that it is for. Throws a 400 if the address is not one of a
 * guest, the task cannot be assigned, or no code could be mailed.
 */
export async function createLink(
  context: RequestContext,
  task: Pick<TaskState, 'id' | 'assigneeId'>,
  { email, name = email, expiresInHours = defaultHours, requireCode = false }: Input,
): Promise<NewLink> {
  const { em, ports, now, actor } = context;
  const { organizationId, userId: createdByUserId } = actor;
  if (requireCode && !ports.smtp) {
    throw badRequest(['requireCode: the service sends no mail; leave it out, or have SMTP_URL and MAIL_FROM set']);
  }
  const guest = await findOrAddGuest(context, { email, name });
  if (task.assigneeId !== guest.id) {
    const command = { type: 'assign', runTaskId: task.id, assigneeId: guest.id, assigneeGroupId: undefined } as const;
    await changeRun({ ...context, ifMatch: null }, { runTaskId: task.id }, command);
  }
  const { token, tokenHash } = newLinkToken(formLinkPrefix);
  const expiresAt = new Date(now.getTime() + expiresInHours * 3_600_000);
  const ids = { organizationId, id: newId(), runTaskId: task.id, userId: guest.id, createdByUserId };
  const row = em.create(FormLink, { ...ids, tokenHash, createdAt: now, expiresAt, requireCode });
  await em.flush();
  const target = { type: 'FORM_LINK', id: row.id, label: email } as const;
  const after = { runTaskId: task.id, expiresAt: expiresAt.toISOString(), requireCode };
  await recordChange(context, { action: 'form_link.created', target, after });
  return { url: `${ports.baseUrl}${formLinkPath}/${token}`, row };
}

async function findOrAddGuest(context: RequestContext, given: Pick<User, 'email' | 'name'>): Promise<User> {
  const { em, actor } = context;
  const { organizationId } = actor;
  const known = await em.findOne(User, { organizationId, email: given.email });
  if (known) return ensureGuest(known);
  try {
    return await createUser(context, { ...given, role: 'GUEST', passwordHash: null });
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
