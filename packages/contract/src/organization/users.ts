import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { email, id, newPassword, title } from '../values.ts';

/** What a member may do; owners and admins manage keys, members and settings. */
export const userRoles = ['OWNER', 'ADMIN', 'MEMBER'] as const;

/** A deactivated member can no longer sign in, and the keys they made stop. */
export const userStatuses = ['ACTIVE', 'DEACTIVATED'] as const;

/** A member of the organization. */
export const user = z
  .strictObject({
    id,
    email: z.string(),
    name: z.string(),
    role: z.enum(userRoles),
    status: z.enum(userStatuses),
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
  create: {
    method: 'POST',
    path: '/users',
    access: 'administrator',
    summary: 'Add a member',
    body: z.strictObject({
      email,
      name: title,
      role: z.enum(userRoles).optional().meta({ description: 'Default: MEMBER.' }),
      password: newPassword,
    }),
    status: 201,
    response: user,
  },
  update: {
    method: 'PATCH',
    path: '/users/:id',
    access: 'administrator',
    summary: 'Change name, role, status or password of a member',
    description: 'A new password and a deactivation end all sessions of the member.',
    body: z
      .strictObject({
        name: title,
        role: z.enum(userRoles),
        status: z.enum(userStatuses),
        password: newPassword,
      })
      .partial(),
    status: 200,
    response: user,
  },
  remove: {
    method: 'DELETE',
    path: '/users/:id',
    access: 'administrator',
    summary: 'Deactivate a member; what they did stays',
    status: 204,
  },
} as const satisfies Group;
