import type { Contract, Parts, Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { completeByMail, notYetMailed } from '../access/links/link-mail.ts';
import { badRequest, found, notFound } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { newestFirst } from '../database/newest-first.ts';
import { Organization } from '../organization/entities/organization.ts';
import { Session } from '../organization/entities/session.ts';
import { User } from '../organization/entities/user.ts';
import { FormLink } from './entities/form-link.ts';
import { createLink } from './form-links/create-link.ts';
import { formMail } from './form-links/link-mail.ts';
import { findTask } from './read/find-task.ts';

type Link = Response<Contract['runs.tasks']['formLinks']>['data'][number];

/** The most links of a task, also those that do not work any more. */
const maximumLinks = 100;

/** Links with which people without an account fill in the form of a task. */
export const formLinks: Handlers<Parts['formLinks']> = {
  formLinks: async ({ params: { taskId: runTaskId }, query, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    await findTask(context, runTaskId);
    const page = await newestFirst(em, FormLink, { organizationId, runTaskId }, query);
    const ids = page.data.map(({ userId }) => userId);
    const guests = await em.find(User, { organizationId, id: { $in: ids } }, { fields: ['id', 'email'] });
    const emails = new Map(guests.map(({ id, email }) => [id, email]));
    return { ...page, data: page.data.map((link) => present(link, emails.get(link.userId) ?? '')) };
  },

  createFormLink: {
    handle: async ({ params: { taskId: runTaskId }, body, ...context }) => {
      const { em, actor, ports } = context;
      const { task } = await findTask(context, runTaskId);
      const count = await em.count(FormLink, { organizationId: actor.organizationId, runTaskId });
      if (count >= maximumLinks) {
        throw badRequest(
          'limit_reached',
          `The task has had ${maximumLinks} links, which is the most; assign it to a member instead.`,
        );
      }
      const { url, row } = await createLink(context, task, body);
      const { revokedAt: _, lastUsedAt: __, ...link } = present(row, body.email);
      return { ...link, url, ...notYetMailed(ports.smtp) };
    },
    complete: async ({ params: { taskId }, ports, ...context }, link) => {
      const { em, actor } = context;
      if (!ports.smtp) return link;
      const { name: organizationName, timeZone } = await em.findOneOrFail(Organization, { id: actor.organizationId });
      const { title } = (await findTask(context, taskId)).task.definition;
      const { email: to, url, requireCode, expiresAt } = link;
      const names = { organizationName, timeZone, title };
      const mail = formMail({ to, ...names, url, expiresAt: new Date(expiresAt), requireCode });
      return completeByMail(link, ports.smtp, mail);
    },
  },

  revokeFormLink: async ({ params: { linkId: id }, ...context }) => {
    const { em, actor, now } = context;
    const { organizationId } = actor;
    const working = { organizationId, id, revokedAt: null };
    const link = found(await em.findOne(FormLink, working), 'Link');
    await findTask(context, link.runTaskId);
    if ((await em.nativeUpdate(FormLink, working, { revokedAt: now })) === 0) throw notFound('Link');
    await em.nativeDelete(Session, { organizationId, formLinkId: id });
    const { email } = await em.findOneOrFail(User, { organizationId, id: link.userId });
    const target = { type: 'FORM_LINK', id, label: email } as const;
    await recordChange(context, { action: 'form_link.revoked', target });
  },
};

function present(link: FormLink, email: string): Link {
  const { id, runTaskId, userId, createdByUserId, createdAt, expiresAt, requireCode, revokedAt, lastUsedAt } = link;
  return {
    id,
    runTaskId,
    email,
    userId,
    createdByUserId,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    requireCode,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
