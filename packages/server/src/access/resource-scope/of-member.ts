import type { ResourceScope } from '../actor.ts';
import type { MemberAccess } from '../queries/member-access.ts';

/** The access of a member, and the only task of a session that a form link began. */
interface Access extends MemberAccess {
  readonly userId: string;
  readonly runTaskId: string | null;
}

/** The resource scope of a member. */
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
