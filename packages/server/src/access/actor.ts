import type { Scope } from '@runward/contract';
import type { Plan } from '../organization/entities/organization.ts';

/** Which templates a caller reaches, with all that hangs on them. */
export type ResourceScope =
  | { readonly mode: 'ALL' }
  | { readonly mode: 'SELECTED_TEMPLATES'; readonly templateIds: readonly string[] }
  | { readonly mode: 'SELECTED_FOLDERS'; readonly folderIds: readonly string[] };

/** Who is calling, on behalf of which organization, and how far they may go. */
export interface Actor {
  readonly type: 'API_KEY' | 'USER';
  readonly organizationId: string;
  readonly plan: Plan;
  readonly timeZone: string;
  /** The member behind the call; a key acts as the member who made it. */
  readonly userId: string;
  readonly apiKeyId: string | null;
  /** Null for a key. */
  readonly sessionId: string | null;
  /** The member's role; keys of any member may do what their scopes say. */
  readonly role: 'OWNER' | 'ADMIN' | 'MEMBER';
  /** Null for a session, which may do everything (spec: Authentication, 5). */
  readonly scopes: ReadonlySet<Scope> | null;
  readonly resourceScope: ResourceScope;
}

/** A member as an actor, who may do everything that the role allows: in a session, or without one in the administration. */
export function memberActor(
  member: Pick<Actor, 'organizationId' | 'plan' | 'timeZone' | 'userId' | 'sessionId' | 'role'>,
): Actor {
  return { ...member, type: 'USER', apiKeyId: null, scopes: null, resourceScope: { mode: 'ALL' } };
}

/** Who caused a change, as the activity log keeps it. */
export interface Author {
  readonly type: 'API_KEY' | 'USER' | 'SYSTEM';
  readonly userId: string | null;
  readonly apiKeyId: string | null;
}

/** The service itself, acting by the clock. */
export const system: Author = { type: 'SYSTEM', userId: null, apiKeyId: null };

/** The actor as recorded in the activity log. */
export function authorOf({ type, userId, apiKeyId }: Actor): Author {
  return { type, userId, apiKeyId };
}
