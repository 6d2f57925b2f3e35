import type { Scope, UserRole } from '@runward/contract';
import type { Plan } from '../organization/entities/organization.ts';

/** The templates that a caller may use, listed or in a listed folder, with everything that belongs to them. */
export interface Listed {
  /** The first two are modes of API keys, the last one of members. */
  readonly mode: 'SELECTED_TEMPLATES' | 'SELECTED_FOLDERS' | 'GRANTED';
  readonly templateIds: readonly string[];
  readonly folderIds: readonly string[];
}

/** The tasks that a member may use: those that are assigned to the member or a group, or approved by one of them. */
export interface Assigned {
  readonly mode: 'ASSIGNED';
  readonly userId: string;
  readonly groupIds: readonly string[];
  /** The only one of them in a session that a form link began, else null. */
  readonly runTaskId: string | null;
}

/** The records that a caller may use. */
export type ResourceScope = { readonly mode: 'ALL' } | Listed | Assigned;

/** Who is calling, for which organization, and with which permissions. */
export interface Actor {
  readonly type: 'API_KEY' | 'USER';
  readonly organizationId: string;
  readonly plan: Plan;
  readonly timeZone: string;
  /** The calling member; a key acts as the member who created it. */
  readonly userId: string;
  readonly apiKeyId: string | null;
  /** Null for a key. */
  readonly sessionId: string | null;
  /** The member's role. It does not limit keys, which may do what their scopes allow. */
  readonly role: UserRole;
  /** Null for a session, which may do what the role allows: everything for members (spec: Authentication, 5). */
  readonly scopes: ReadonlySet<Scope> | null;
  readonly resourceScope: ResourceScope;
}

/**
 * A member as an actor with all permissions of the role: in a session, or without one in the administration, by
 * default for all records. */
export function memberActor(
  member: Pick<Actor, 'organizationId' | 'plan' | 'timeZone' | 'userId' | 'sessionId' | 'role'>,
  resourceScope: ResourceScope = { mode: 'ALL' },
): Actor {
  return { ...member, type: 'USER', apiKeyId: null, scopes: null, resourceScope };
}

/** Whether a form link began the session of the caller, which is for one task only. */
export function isOfFormLink({ resourceScope }: Pick<Actor, 'resourceScope'>): boolean {
  return resourceScope.mode === 'ASSIGNED' && resourceScope.runTaskId !== null;
}

/** Who caused a change, as the activity log records it. */
export interface Author {
  readonly type: 'API_KEY' | 'USER' | 'SYSTEM';
  readonly userId: string | null;
  readonly apiKeyId: string | null;
}

/** The service itself, when it acts on time. */
export const system: Author = { type: 'SYSTEM', userId: null, apiKeyId: null };

/** The actor as recorded in the activity log. */
export function authorOf({ type, userId, apiKeyId }: Actor): Author {
  return { type, userId, apiKeyId };
}
