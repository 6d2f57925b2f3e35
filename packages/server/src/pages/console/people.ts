import { canHoldTasks } from '@runward/contract';
import type { Group, User } from '@runward/sdk';
import type { Visitor } from '../page.ts';
import type { ConsoleRequest } from './console-page.ts';
import { isGuest } from './may.ts';

type Api = ConsoleRequest['api'];

/**
 * The most members and groups whose names a page knows, including those who have left. A call reads 200 of them, and a
 * session may make 1,500 calls a minute. Those of larger organizations are found by a search.
 */
const maximumKnown = 3_000;

/** The most members among which a page searches. */
const maximumSearched = 10_000;

/** The members of the organization. */
export interface Members {
  /** By name. */
  readonly active: readonly User[];
  /** Those of them to whom tasks can be assigned. */
  readonly assignable: readonly User[];
  /** The name of a member, also of one who has left. */
  nameOf(userId: string): string;
}

/** The members and the groups of the organization. */
export interface People extends Members {
  readonly groups: readonly Group[];
  /** The name of a member or a group. */
  nameOf(id: string): string;
  /** The name of the member or the group that a task is assigned to. */
  assigneeOf(task: { readonly assigneeId: string | null; readonly assigneeGroupId: string | null }): string;
}

/** Loads the members. */
export async function loadMembers(api: Api): Promise<Members> {
  const all = await api.users.list({ status: 'ALL' }).toArray({ limit: maximumKnown });
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const active = all.filter(({ status }) => status === 'ACTIVE');
  return {
    active,
    assignable: active.filter(({ role }) => canHoldTasks(role)),
    nameOf: (id) => names.get(id) ?? 'Unknown member',
  };
}

/** Loads the members and the groups. Guests see nobody but themselves. */
export async function loadPeople({ api, visitor }: Pick<ConsoleRequest, 'api' | 'visitor'>): Promise<People> {
  if (isGuest(visitor)) return peopleOfGuest(visitor);
  const [{ nameOf, ...members }, groups] = await Promise.all([
    loadMembers(api),
    api.groups.list().toArray({ limit: maximumKnown }),
  ]);
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  return {
    ...members,
    groups,
    nameOf: (id) => names.get(id) ?? nameOf(id),
    assigneeOf: ({ assigneeId, assigneeGroupId }) => {
      if (assigneeId !== null) return nameOf(assigneeId);
      return assigneeGroupId === null ? 'No one' : (names.get(assigneeGroupId) ?? 'Unknown group');
    },
  };
}

function peopleOfGuest({ name, actor: { userId } }: Visitor): People {
  const nameOf = (id: string) => (id === userId ? name : 'Another member');
  const assigneeOf: People['assigneeOf'] = ({ assigneeId, assigneeGroupId }) => {
    if (assigneeGroupId !== null) return 'A group';
    return assigneeId === null ? 'No one' : nameOf(assigneeId);
  };
  return { active: [], assignable: [], groups: [], nameOf, assigneeOf };
}

/** Active members whose name or email address contains a text. */
export async function searchMembers({ users }: Api, text: string): Promise<User[]> {
  const wanted = text.trim().toLowerCase();
  const all = await users.list().toArray({ limit: maximumSearched });
  return all.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
}
