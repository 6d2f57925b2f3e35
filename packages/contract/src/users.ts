import { z } from 'zod';
import type { Group } from './endpoint.ts';
import { page, pageQuery } from './page.ts';
import { id } from './values.ts';

/** What a member may do; owners and admins manage keys, members and settings. */
export const userRoles = ['OWNER', 'ADMIN', 'MEMBER'] as const;

/** A member of the organization. */
export const user = z
  .strictObject({
    id,
    email: z.string(),
    name: z.string(),
    role: z.enum(userRoles),
    status: z.enum(['ACTIVE', 'DEACTIVATED']),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'User' });

/** Members of the organization (spec: Users). */
export const users = {
  list: {
    method: 'GET',
    path: '/users',
    access: 'users:read',
    summary: 'List members by name; their ids are used for assignment',
    query: pageQuery,
    status: 200,
    response: page(user),
  },
} as const satisfies Group;
