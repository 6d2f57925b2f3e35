import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id } from '../values.ts';

/** The most access rules of a portal. */
export const maximumAccessRules = 200;

const accessRule = component('PortalAccessRule', 'Who may read a RESTRICTED portal.', {
  id: id.describe('Id of the rule.'),
  portalId: id.describe('The portal that may be read.'),
  userId: id.nullable().describe('The member who may read it; null for the rule of a group.'),
  groupId: id.nullable().describe('The group whose members may read it; null for the rule of a member.'),
  createdByUserId: id.describe('The member who granted the access; for an API key, its creator.'),
  createdAt: z.iso.datetime().describe('When the access was granted.'),
});

/** Access rules of portals (spec: Portal). */
export const portalAccessRules = {
  list: {
    method: 'GET',
    path: '/portals/:portalId/access-rules',
    access: 'templates:read',
    summary: 'List the access rules of a portal, newest first',
    description: 'Rules of deleted groups are left out.',
    query: pageQuery,
    response: page(accessRule),
  },
  create: {
    method: 'POST',
    path: '/portals/:portalId/access-rules',
    access: 'templates:write',
    summary: 'Let a member or a group read a portal',
    description:
      'Takes effect immediately, while the audience of the portal is RESTRICTED. Owners and admins need no rule. Returns 400 if the portal already has ' +
      `such a rule. A portal can have at most ${maximumAccessRules} rules.`,
    body: z
      .strictObject({
        userId: id.nullish().describe('An active member. Excludes `groupId`.'),
        groupId: id.nullish().describe('A group. Excludes `userId`.'),
      })
      .refine(({ userId, groupId }) => (userId == null) !== (groupId == null), {
        error: 'must have either userId or groupId',
      })
      .meta({ id: 'CreatePortalAccessRule', description: 'Who may read a portal.' }),
    errors: ['limit_reached', 'already_exists'],
    status: 201,
    response: accessRule,
  },
  delete: {
    method: 'DELETE',
    path: '/portals/:portalId/access-rules/:ruleId',
    access: 'templates:write',
    summary: 'Delete an access rule',
    description: 'Takes effect immediately.',
  },
} as const satisfies Group;
