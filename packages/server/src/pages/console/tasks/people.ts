import type { Client, Group, User } from '@runward/sdk';

/** The members and groups of the organization, as a page names and offers them. */
export interface People {
  /** Active members, by name. */
  readonly members: readonly User[];
  readonly groups: readonly Group[];
  /** The name of a member or group, also of one who has left. */
  nameOf(id: string): string;
}

/** The most members whose names a page knows. Those of larger organizations are found by a search. */
const maximumKnown = 1000;

/** The most members among which a page searches. */
const maximumSearched = 10_000;

/** Loads the members and groups. */
export async function loadPeople({ users, groups }: Client): Promise<People> {
  const [known, all] = await Promise.all([
    users.list({ status: 'ALL' }).toArray({ limit: maximumKnown }),
    groups.list().toArray({ limit: maximumKnown }),
  ]);
  const names = new Map([...known, ...all].map(({ id, name }) => [id, name]));
  return {
    members: known.filter(({ status }) => status === 'ACTIVE'),
    groups: all,
    nameOf: (id) => names.get(id) ?? 'Another member',
  };
}

/** Active members whose name or email address contains a text. */
export async function searchMembers({ users }: Client, text: string): Promise<User[]> {
  const wanted = text.trim().toLowerCase();
  const all = await users.list().toArray({ limit: maximumSearched });
  return all.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted));
}
