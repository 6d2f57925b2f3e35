import { maximumAccessRules, type Contract, type Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, notFound } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import { Group } from '../organization/entities/group.ts';
import { User } from '../organization/entities/user.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { PortalAccessRule } from './entities/portal-access-rule.ts';
import { findPortal, lockPortal } from './find-portal.ts';

/** Who may read RESTRICTED portals (spec: Portal). */
export const portalAccessRules: Handlers<Contract['portals.accessRules']> = {
  list: async ({ params: { portalId }, query: { limit, cursor }, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    await findPortal(context, portalId);
    const before = cursor === undefined ? {} : { id: { $lt: decodeCursor(cursor, 'id')[0] } };
    const where = rulesOf(organizationId, portalId);
    const total = await em.count(PortalAccessRule, where);
    const rows = await em.find(
      PortalAccessRule,
      { $and: [where, before] },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    );
    return pageOf(rows, limit, total, presentRule, ({ id }) => [id]);
  },

  create: async ({ params: { portalId }, body: { userId = null, groupId = null }, ...context }) => {
    const { em, actor, now } = context;
    const { organizationId } = actor;
    await lockPortal(context, portalId);
    await ensureReader(context, { userId, groupId });
    if ((await em.count(PortalAccessRule, { organizationId, portalId, userId, groupId })) > 0) {
      const [field, who] = userId === null ? ['groupId', 'group'] : ['userId', 'member'];
      throw badRequest([`${field}: the ${who} has access already; one rule is enough`]);
    }
    if ((await em.count(PortalAccessRule, rulesOf(organizationId, portalId))) >= maximumAccessRules) {
      throw badRequest(`A portal can have at most ${maximumAccessRules} access rules; use groups, or delete a rule.`);
    }
    const createdByUserId = actor.userId;
    const rule = { organizationId, id: newId(), portalId, userId, groupId, createdByUserId, createdAt: now };
    return presentRule(em.create(PortalAccessRule, rule));
  },

  remove: async ({ params: { portalId, ruleId }, ...context }) => {
    const { organizationId } = await lockPortal(context, portalId);
    const deleted = await context.em.nativeDelete(PortalAccessRule, { organizationId, portalId, id: ruleId });
    if (deleted === 0) throw notFound('Access rule');
  },
};

/** The rules of a portal, without those of deleted groups, which grant nothing. */
function rulesOf(organizationId: string, portalId: string) {
  return { organizationId, portalId, $or: [{ groupId: null }, { group: { deletedAt: null } }] };
}

/** Throws a 400 unless a member is active, or a group exists. The group cannot be deleted before the transaction ends. */
async function ensureReader(
  { em, actor: { organizationId } }: RequestContext,
  { userId, groupId }: { readonly userId: string | null; readonly groupId: string | null },
): Promise<void> {
  if (userId !== null && (await em.count(User, { organizationId, id: userId, status: 'ACTIVE' })) === 0) {
    throw badRequest(['userId: not an active member of this organization; see GET /users']);
  }
  if (groupId !== null && !(await lockRow(em, Group, { organizationId, id: groupId, deletedAt: null }, 'key share'))) {
    throw badRequest(['groupId: not a group of this organization; see GET /groups']);
  }
}

function presentRule(rule: PortalAccessRule): Response<Contract['portals.accessRules']['create']> {
  const { id, portalId, userId, groupId, createdByUserId, createdAt } = rule;
  return {
    id,
    portalId,
    userId: userId ?? null,
    groupId: groupId ?? null,
    createdByUserId,
    createdAt: createdAt.toISOString(),
  };
}
