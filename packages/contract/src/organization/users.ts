import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, paging } from '../page.ts';
import { memberResourceMode, userRole } from '../roles.ts';
import { email, id, newPassword, title } from '../values.ts';

/** A deactivated member cannot sign in, and API keys that they created are rejected. */
export const userStatuses = ['ACTIVE', 'DEACTIVATED'] as const;

const userStatus = z
  .enum(userStatuses)
  .meta({ id: 'UserStatus', description: 'The status of a member. A DEACTIVATED member cannot sign in.' });

/** The records that a member has access to, where it can be chosen. */
const chosenResourceMode = memberResourceMode.exclude(['ASSIGNED']).meta({
  id: 'ChosenResourceMode',
  description:
    'ALL: every template. GRANTED: only the templates and folders that are granted to the member or their groups; see `GET /grants`.',
});

const userStatusFilter = z
  .enum([...userStatuses, 'ALL'])
  .meta({ id: 'UserStatusFilter', description: 'A status of members, or ALL.' });

/** A member of the organization. */
export const user = component('User', 'A member of the organization.', {
  id: id.describe('Id of the member.'),
  email: z.string().describe('Email address, in lower case.'),
  name: z.string().describe('Display name.'),
  role: userRole,
  resourceMode: memberResourceMode,
  status: userStatus.describe('A DEACTIVATED member cannot sign in.'),
  createdAt: z.iso.datetime().describe('When the member was added.'),
});

/** Members of the organization (spec: Users). */
export const users = {
  list: {
    method: 'GET',
    path: '/users',
    access: 'users:read',
    summary: 'List members by name',
    description: 'Lists active members by default. The ids are used to assign tasks.',
    query: z.strictObject({
      email: email.optional().describe('Only the member with this email address, ignoring case.'),
      status: userStatusFilter.default('ACTIVE').describe('Only members with this status, or ALL. Default: ACTIVE.'),
      ...paging,
    }),
    response: page(user),
  },
  get: {
    method: 'GET',
    path: '/users/:id',
    access: 'users:read',
    summary: 'Get a member',
    description: 'Returns deactivated members, too.',
    response: user,
  },
  create: {
    method: 'POST',
    path: '/users',
    access: 'administrator',
    summary: 'Add a member',
    description:
      'Without a password, the member cannot sign in before they have set one; see `POST /users/:id/password-link`. Only owners can add ' +
      'owners; others get 403. Returns 400 if the email address is taken.',
    body: component('CreateUser', 'A new member.', {
      email: email.describe('Stored in lower case. Unique over all organizations.'),
      name: title.describe('Display name.'),
      role: userRole.optional().meta({ description: 'Role of the member. Default: MEMBER.', default: 'MEMBER' }),
      resourceMode: chosenResourceMode
        .optional()
        .describe(
          'Only for the roles MEMBER (default: ALL) and VIEWER (default: GRANTED). Owners and admins have access to everything, ' +
            'guests to what is assigned to them.',
        ),
      password: newPassword.optional().describe('8 to 128 characters. Default: none.'),
    }),
    errors: ['already_exists'],
    status: 201,
    response: user,
  },
  update: {
    method: 'PATCH',
    path: '/users/:id',
    access: 'administrator',
    summary: 'Update the name, role, status or password of a member',
    description:
      'Properties that are left out do not change. A new password or a deactivation ends all sessions of the member, and ' +
      'revokes their link to set a password. Only owners can ' +
      'change owners; others get 403. Returns 400 for your own deactivation and for a change that leaves no active owner.',
    body: z
      .strictObject({
        name: title.describe('Display name.'),
        role: userRole,
        resourceMode: chosenResourceMode.describe(
          'Only for the roles MEMBER and VIEWER. If a change of the role leaves it out and the new role does not have the current ' +
            'one, it becomes the default of the new role.',
        ),
        status: userStatus.describe(
          'DEACTIVATED: the member cannot sign in, and API keys that they created are rejected. Can be reverted.',
        ),
        password: newPassword.describe('8 to 128 characters.'),
      })
      .partial()
      .meta({ id: 'UpdateUser', description: 'Changes to a member.' }),
    errors: ['own_account', 'last_owner'],
    response: user,
  },
  delete: {
    method: 'DELETE',
    path: '/users/:id',
    access: 'administrator',
    summary: 'Deactivate a member',
    description:
      'Same as setting `status` to DEACTIVATED. Their assignments and history stay; see `POST /users/:id/hand-over`.',
    errors: ['own_account', 'last_owner'],
  },
} as const satisfies Group;
