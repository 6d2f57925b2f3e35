import type { Contract, Parts, Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, found, notFound } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import type { Em } from '../database/database.ts';
import { lockRow } from '../database/lock-row.ts';
import { newestFirst } from '../database/newest-first.ts';
import { newId } from '../ids.ts';
import { Template } from '../templates/entities/template.ts';
import { grantTarget } from './audited.ts';
import { Folder } from './entities/folder.ts';
import { Grant } from './entities/grant.ts';
import { Group } from './entities/group.ts';
import { Organization } from './entities/organization.ts';
import { User } from './entities/user.ts';

/** What members whose resource mode is GRANTED have access to. */
export const grants: Handlers<Parts['grants']> = {
  list: async ({ em, actor: { organizationId }, query: { limit, cursor, ...filter } }) => {
    const { templateId } = filter;
    if (templateId !== undefined)
      found(await em.findOne(Template, { organizationId, id: templateId, deletedAt: null }), 'Template');
    const matching = Object.fromEntries(Object.entries(filter).filter(([, id]) => id !== undefined));
    const page = await newestFirst(em, Grant, { organizationId, ...matching }, { limit, cursor });
    return { ...page, data: page.data.map(present) };
  },

  create: async ({ body, ...context }) => {
    const { em, actor, now } = context;
    const { organizationId } = actor;
    await ensureExist(context, body);
    // Two requests for the same grant wait for each other, so that the second one finds the first one's.
    await lockRow(em, Organization, { id: organizationId }, 'no key update');
    const { userId = null, groupId = null, templateId = null, folderId = null } = body;
    const wanted = { organizationId, userId, groupId, templateId, folderId };
    const known = await em.findOne(Grant, wanted);
    if (known) return present(known);
    const grant = em.create(Grant, { ...wanted, id: newId(), createdAt: now });
    await em.flush();
    const { target, names } = await namesOf(em, grant);
    await recordChange(context, { action: 'grant.created', target, after: { ...body, ...names } });
    return present(grant);
  },

  delete: async ({ params: { id }, ...context }) => {
    const { em, actor } = context;
    const own = { organizationId: actor.organizationId, id };
    const grant = found(await em.findOne(Grant, own), 'Grant');
    if ((await em.nativeDelete(Grant, own)) === 0) throw notFound('Grant');
    const { id: _, createdAt: __, ...before } = present(grant);
    const { target, names } = await namesOf(em, grant);
    await recordChange(context, { action: 'grant.revoked', target, before: { ...before, ...names } });
  },
};

type Named = Readonly<Partial<Record<'userId' | 'groupId' | 'templateId' | 'folderId', string | undefined>>>;

/**
 * Throws a 400 that names each record that does not exist. Existing ones cannot be deleted before the transaction ends.
 */
async function ensureExist(
  { em, actor: { organizationId } }: RequestContext,
  { userId, groupId, templateId, folderId }: Named,
): Promise<void> {
  const problems: string[] = [];
  const check = async (name: keyof Named, isThere: Promise<boolean>, what: string) => {
    if (!(await isThere)) problems.push(`${name}: not ${what} of this organization`);
  };
  const own = { organizationId };
  if (userId) {
    const member = { ...own, id: userId, status: 'ACTIVE' } as const;
    await check('userId', lockRow(em, User, member, 'key share'), 'an active member');
  }
  if (groupId) {
    const group = { ...own, id: groupId, deletedAt: null };
    await check('groupId', lockRow(em, Group, group, 'key share'), 'a group');
  }
  if (templateId) {
    const template = { ...own, id: templateId, deletedAt: null };
    await check('templateId', lockRow(em, Template, template, 'key share'), 'a template');
  }
  if (folderId) await check('folderId', lockRow(em, Folder, { ...own, id: folderId }, 'key share'), 'a folder');
  if (problems.length > 0) throw badRequest(problems);
}

/** Who has a grant, and the name of what it is of, as the audit log states them. */
async function namesOf(em: Em, grant: Grant) {
  const { organizationId, userId, groupId, templateId, folderId } = grant;
  const member = userId ? await em.findOneOrFail(User, { organizationId, id: userId }) : null;
  const group = groupId ? await em.findOneOrFail(Group, { organizationId, id: groupId }) : null;
  const template = templateId ? await em.findOneOrFail(Template, { organizationId, id: templateId }) : null;
  const folder = folderId ? await em.findOneOrFail(Folder, { organizationId, id: folderId }) : null;
  const names = { templateName: template?.name, folderName: folder?.name };
  return { target: grantTarget(grant, member?.email ?? group?.name ?? null), names };
}

function present({
  id,
  userId,
  groupId,
  templateId,
  folderId,
  createdAt,
}: Grant): Response<Contract['grants']['create']> {
  return {
    id,
    userId: userId ?? null,
    groupId: groupId ?? null,
    templateId: templateId ?? null,
    folderId: folderId ?? null,
    createdAt: createdAt.toISOString(),
  };
}
