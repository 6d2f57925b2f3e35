import type { MemberResourceMode } from '@runward/contract';
import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import type { User } from '../../organization/entities/user.ts';

/** What decides which records a member has access to. */
export interface MemberAccess {
  readonly resourceMode: MemberResourceMode;
  /** What is granted to a member with the mode GRANTED, else null. */
  readonly grants: Readonly<Record<'templateIds' | 'folderIds', readonly string[]>> | null;
  /** The groups of a member with the mode ASSIGNED, else null. */
  readonly groupIds: readonly string[] | null;
}

const ownGroups = sql`
  select group_id from group_members
  where organization_id = member.organization_id and user_id = member.id`;

const grants = sql<MemberAccess['grants']>`
  case when member.resource_mode = 'GRANTED' then (
    select jsonb_build_object(
      'templateIds', coalesce(jsonb_agg(template_id) filter (where template_id is not null), '[]'),
      'folderIds', coalesce(jsonb_agg(folder_id) filter (where folder_id is not null), '[]')
    )
    from grants
    where organization_id = member.organization_id and (user_id = member.id or group_id in (${ownGroups}))
  ) end`;

const groupIds = sql<MemberAccess['groupIds']>`
  case when member.resource_mode = 'ASSIGNED' then (select coalesce(jsonb_agg(group_id), '[]') from (${ownGroups}) own) end`;

/** Selects the access of a member from `users`, whose alias is `member`. */
export const memberAccess = [
  sql<MemberAccess['resourceMode']>`member.resource_mode`.as('resourceMode'),
  grants.as('grants'),
  groupIds.as('groupIds'),
] as const;

/** The access of a member. */
export function findMemberAccess(em: Em, { organizationId, id }: Pick<User, 'organizationId' | 'id'>) {
  return em
    .getKysely()
    .selectFrom('users as member')
    .where('member.organization_id', '=', organizationId)
    .where('member.id', '=', id)
    .select(memberAccess)
    .executeTakeFirstOrThrow();
}
