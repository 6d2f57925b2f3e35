import type { ToolContext } from '../tool.ts';
import { choose } from './choose.ts';
import { ensureLookup } from './ensure-lookup.ts';
import { isId } from './ids.ts';

/** How many members and groups are read for their names. */
const maximumRead = 1_000;

/** The names of members and groups. */
export interface People {
  /** The name behind an id; the id itself if the key cannot read members, or if there is none. */
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

/**
 * The id of an active member by id, email address or name. Only an id needs no scope.
 *
 * @throws ToolError if none or several fit, or if the key cannot look members up
 */
export async function findMemberId(context: ToolContext, text: string): Promise<string> {
  if (isId(text)) return text.toLowerCase();
  ensureLookup(context, 'users:read', 'member', text);
  const members = await context.client.users.list().toArray({ limit: maximumRead });
  return choose(members, {
    kind: 'active member',
    text,
    nameOf: ({ name, email }) => (text.includes('@') ? email : name),
    show: ({ id, name, email }) => `${id}  ${name} <${email}>`,
    remedy: 'Use the email address of a member.',
  }).id;
}

/**
 * The id of a group by id or name.
 *
 * @throws ToolError if none or several fit, or if the key cannot look groups up
 */
export async function findGroupId(context: ToolContext, text: string): Promise<string> {
  if (isId(text)) return text.toLowerCase();
  ensureLookup(context, 'users:read', 'group', text);
  const groups = await context.client.groups.list().toArray({ limit: maximumRead });
  return choose(groups, {
    kind: 'group',
    text,
    nameOf: ({ name }) => name,
    show: ({ id, name }) => `${id}  ${name}`,
    remedy: `The groups are: ${groups.map(({ name }) => `"${name}"`).join(', ') || 'none'}.`,
  }).id;
}
