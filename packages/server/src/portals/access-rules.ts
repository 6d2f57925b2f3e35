import { maximumAccessRules, type Contract, type Parts, type Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, found } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import type { Em } from '../database/database.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import { Group } from '../organization/entities/group.ts';
import { User } from '../organization/entities/user.ts';
import { pageById } from '../paging.ts';
import { portalTarget } from './audited.ts';
import { PortalAccessRule } from './entities/portal-access-rule.ts';
import type { Portal } from './entities/portal.ts';
import { findPortal, lockPortal } from './find-portal.ts';

/** Who may read RESTRICTED portals (spec: Portal). */
export const portalAccessRules: Handlers<Parts['portalAccessRules']> = {
  list: async ({ params: { portalId }, query, ...context }) => {
    const portal = await findPortal(context, portalId);
    return pageById(await rulesOf(context.em, portal), query, presentRule);
  },

  create: async ({ params: { portalId }, body: { userId = null, groupId = null }, ...context }) => {
    const { em, actor, now } = context;
    const { organizationId } = actor;
    const portal = await lockPortal(context, portalId);
    await ensureReader(context, { userId, groupId });
    if ((await em.count(PortalAccessRule, { organizationId, portalId, userId, groupId })) > 0) {
      const [field, who] = userId === null ? ['groupId', 'group'] : ['userId', 'member'];
      throw badRequest('already_exists', [`${field}: the ${who} has access already; one rule is enough`]);
    }
    if ((await rulesOf(em, portal)).length >= maximumAccessRules) {
      throw badRequest(
        'limit_reached',
        `A portal can have at most ${maximumAccessRules} access rules; use groups, or delete a rule.`,
      );
    }
    const createdByUserId = actor.userId;
    const rule = { organizationId, id: newId(), portalId, userId, groupId, createdByUserId, createdAt: now };
    const created = em.create(PortalAccessRule, rule);
    await em.flush();
    const target = portalTarget(portal);
    await recordChange(context, { action: 'portal.access_granted', target, after: { userId, groupId } });
    return presentRule(created);
  },

  delete: async ({ params: { portalId, ruleId }, ...context }) => {
    const { em } = context;
    const portal = await lockPortal(context, portalId);
    const { organizationId } = portal;
    const rule = found(await em.findOne(PortalAccessRule, { organizationId, portalId, id: ruleId }), 'Access rule');
    const { userId = null, groupId = null } = rule;
    await em.nativeDelete(PortalAccessRule, { organizationId, portalId, id: ruleId });
    const target = portalTarget(portal);
    await recordChange(context, { action: 'portal.access_withdrawn', target, before: { userId, groupId } });
  },
};

/** The rules of a portal, newest first, without those of deleted groups, which grant nothing. */
async function rulesOf(em: Em, { organizationId, id: portalId }: Portal): Promise<PortalAccessRule[]> {
  const rules = await em.find(PortalAccessRule, { organizationId, portalId }, { orderBy: { id: 'desc' } });
  const named = { organizationId, id: { $in: rules.flatMap(({ groupId }) => groupId ?? []) } };
  const groups = new Set((await em.find(Group, { ...named, deletedAt: null })).map(({ id }) => id));
  return rules.filter(({ groupId }) => groupId == null || groups.has(groupId));
}

/** Throws a 400 unless the member is active, or the group exists. The group stays until the transaction ends. */
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
