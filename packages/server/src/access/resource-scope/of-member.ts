import type { MemberResourceMode } from '@runward/contract';
import type { ResourceScope } from '../actor.ts';

/** What a member has access to, as a session finds it. */
interface Access {
  readonly userId: string;
  readonly resourceMode: MemberResourceMode;
  readonly grants: Readonly<Record<'templateIds' | 'folderIds', readonly string[]>> | null;
  readonly groupIds: readonly string[] | null;
  readonly runTaskId: string | null;
}

/** The resource scope of a member in a session. */
export function resourceScopeOfMember({
  userId,
  resourceMode: mode,
  grants,
  groupIds,
  runTaskId,
}: Access): ResourceScope {
  switch (mode) {
    case 'ALL':
      return { mode };
    case 'GRANTED':
      return { mode, templateIds: grants?.templateIds ?? [], folderIds: grants?.folderIds ?? [] };
    case 'ASSIGNED':
      return { mode, userId, groupIds: groupIds ?? [], runTaskId };
  }
}
