import type { ToolContext } from '../tool.ts';

/** How many members and groups are read for their names. */
const maximumRead = 1_000;

/** The names of members and groups. */
export interface People {
  /** The name for an id. The id itself if it has no name, or the key cannot read members. */
  nameOf(id: string): string;
}

const strangers: People = { nameOf: (id) => id };

/** Reads the names of members and groups, if any are needed and the key has the scope `users:read`. */
export async function readPeople({ client, scopes }: ToolContext, ids: readonly (string | null)[]): Promise<People> {
  if (!scopes.has('users:read') || ids.every((id) => id === null)) return strangers;
  const [users, groups] = await Promise.all([
    client.users.list({ status: 'ALL' }).toArray({ limit: maximumRead }),
    client.groups.list().toArray({ limit: maximumRead }),
  ]);
  const names = new Map([...users, ...groups].map(({ id, name }) => [id, name]));
  return { nameOf: (id) => names.get(id) ?? id };
}
