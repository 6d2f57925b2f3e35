import type { Mentions } from '@runward/sdk';
import type { ConsoleRequest } from '../console-page.ts';
import { isGuest } from '../may.ts';

/** The members and groups among which a page looks for a name. */
const maximumSearched = 10_000;

/** Someone who can be mentioned. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly isGroup: boolean;
}

/** Active members and groups; nobody for guests, who do not see them. */
export async function loadMentionable({
  api: { users, groups },
  visitor,
}: Pick<ConsoleRequest, 'api' | 'visitor'>): Promise<Named[]> {
  if (isGuest(visitor)) return [];
  const [members, named] = await Promise.all([
    users.list().toArray({ limit: maximumSearched }),
    groups.list().toArray({ limit: maximumSearched }),
  ]);
  return [
    ...members.map(({ id, name }) => ({ id, name, isGroup: false })),
    ...named.map(({ id, name }) => ({ id, name, isGroup: true })),
  ];
}

/** Who is mentioned with `@` and the exact name. Of names that begin alike, the longest counts. */
export function mentionsIn(text: string, all: readonly Named[]): Mentions {
  const places = [...text.matchAll(/(?<![\p{L}\p{N}])@/gu)].map(({ index }) => text.slice(index + 1));
  const mentioned = places.flatMap((rest) => {
    const fitting = all.filter(({ name }) => rest.startsWith(name) && !/^[\p{L}\p{N}]/u.test(rest.slice(name.length)));
    const longest = Math.max(...fitting.map(({ name }) => name.length));
    return fitting.filter(({ name }) => name.length === longest);
  });
  const ids = (isGroup: boolean) => [
    ...new Set(mentioned.filter((one) => one.isGroup === isGroup).map(({ id }) => id)),
  ];
  return { userIds: ids(false), groupIds: ids(true) };
}

/**
 * Who a changed text mentions. Those whom the comment mentions without their names, because a program wrote it, stay if
 * they still exist.
 */
export function mentionsAfter(
  comment: { readonly text: string; readonly mentions: Mentions },
  text: string,
  all: readonly Named[],
): Mentions {
  const known = new Set(all.map(({ id }) => id));
  const [before, after] = [mentionsIn(comment.text, all), mentionsIn(text, all)];
  const merged = (list: keyof Mentions) => {
    const unnamed = comment.mentions[list].filter((id) => known.has(id) && !before[list].includes(id));
    return [...new Set([...unnamed, ...after[list]])];
  };
  return { userIds: merged('userIds'), groupIds: merged('groupIds') };
}
