import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

/** Ids of members and groups. */
export interface Ids {
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
}

/** A member as an event names it. */
export interface EventPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** A group as an event names it. */
export interface EventGroup {
  readonly id: string;
  readonly name: string;
}

/** Members and groups by their ids, without null ids and those that were not read. */
export interface Named {
  members(ids: readonly (string | null)[]): EventPerson[];
  groups(ids: readonly (string | null)[]): EventGroup[];
}

const select = statement<EventPerson & { readonly isGroup: boolean }>(`
  select id, name, email, false as "isGroup" from users where organization_id = $1 and id = any($2)
  union all select id, name, '', true from groups where organization_id = $1 and id = any($3)`);

/** Reads the members and groups of an organization that events name, those who left included. */
export async function readNamed(em: Em, organizationId: string, ids: readonly Ids[]): Promise<Named> {
  const userIds = [...new Set(ids.flatMap((each) => each.userIds))];
  const groupIds = [...new Set(ids.flatMap((each) => each.groupIds))];
  const rows = userIds.length + groupIds.length === 0 ? [] : await select(em, organizationId, userIds, groupIds);
  const members = new Map<string, EventPerson>();
  const groups = new Map<string, EventGroup>();
  for (const { isGroup, id, name, email } of rows) {
    if (isGroup) groups.set(id, { id, name });
    else members.set(id, { id, name, email });
  }
  return {
    members: (ids) => ids.flatMap((id) => members.get(id ?? '') ?? []),
    groups: (ids) => ids.flatMap((id) => groups.get(id ?? '') ?? []),
  };
}
