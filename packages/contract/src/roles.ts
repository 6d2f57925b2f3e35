import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import type { Scope } from './scopes.ts';

/**
 * Roles of members. Owners and admins manage members, API keys and settings; only owners manage owners. Viewers only
 * read. Guests only have the tasks that are assigned to them, and the approvals that they decide on.
 */
export const userRoles = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER', 'GUEST'] as const;

/** The role of a member. */
export type UserRole = (typeof userRoles)[number];

/** The scopes that each role has in a session; null for all. */
const scopesOf: Readonly<Record<UserRole, ReadonlySet<Scope> | null>> = {
  OWNER: null,
  ADMIN: null,
  MEMBER: null,
  VIEWER: new Set<Scope>(['runs:read', 'templates:read', 'files:read', 'users:read']),
  GUEST: new Set<Scope>(),
};

/** The roles that manage the organization. */
const administrators: ReadonlySet<UserRole> = new Set<UserRole>(['OWNER', 'ADMIN']);

/** The roles whose members tasks can be assigned to, and who can be named as approvers. */
const taskHolders: ReadonlySet<UserRole> = new Set<UserRole>(['OWNER', 'ADMIN', 'MEMBER', 'GUEST']);

/** Whether tasks can be assigned to members with a role, and whether they can be named as approvers. */
export function canHoldTasks(role: UserRole): boolean {
  return taskHolders.has(role);
}

/** Whether a role manages the organization: its members, API keys and settings. */
export function isAdministrator(role: UserRole): boolean {
  return administrators.has(role);
}

/** Whether members with a role may call an endpoint in a session. */
export function mayCall(role: UserRole, { access, guests = false }: Pick<Endpoint, 'access' | 'guests'>): boolean {
  if (access === 'public' || access === 'authenticated' || access === 'session') return true;
  if (access === 'administrator') return isAdministrator(role);
  return (scopesOf[role]?.has(access) ?? true) || (role === 'GUEST' && guests);
}

/** The records that a member has access to in a session. Members with the role GUEST have ASSIGNED, others never. */
export const memberResourceModes = ['ALL', 'GRANTED', 'ASSIGNED'] as const;

/** See {@link memberResourceModes}. */
export type MemberResourceMode = (typeof memberResourceModes)[number];

/** The modes that members of each role can have, the default first. */
export const resourceModesOf: Readonly<Record<UserRole, readonly MemberResourceMode[]>> = {
  OWNER: ['ALL'],
  ADMIN: ['ALL'],
  MEMBER: ['ALL', 'GRANTED'],
  VIEWER: ['GRANTED', 'ALL'],
  GUEST: ['ASSIGNED'],
};

/** The role of a member on the wire. */
export const userRole = z.enum(userRoles).meta({
  id: 'UserRole',
  description:
    'The role of a member. Owners and admins manage API keys, members and settings. A VIEWER only reads, and holds no tasks. ' +
    'A GUEST only has the tasks that are assigned to them, and the approvals that they decide on.',
});

/** The records that a member has access to, on the wire. */
export const memberResourceMode = z.enum(memberResourceModes).meta({
  id: 'MemberResourceMode',
  description:
    'ALL: every template. GRANTED: only the templates and folders that are granted to the member or their groups; see `GET /grants`. ' +
    'ASSIGNED: only the tasks that are assigned to the member or their groups, or that they approve.',
});
