import type { Mentions } from '@runward/sdk';
import type { ConsoleRequest } from '../console-page.ts';
import { isGuest } from '../may.ts';

/** The members and groups among which a page looks for a name. */
const maximumSearched = 10_000;

/** The `@` of a text that are looked at. A comment can have 50 mentions. */
const maximumPlaces = 1_000;

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

/**
 * Who is mentioned with `@` and the exact name. Of names that begin alike, the longest counts. A text can have
 * thousands of `@`, and an organization thousands of names, also equal ones, so they are not compared one by one.
 */
export function mentionsIn(text: string, all: readonly Named[]): Mentions {
  const names = new Set(all.map(({ name }) => name));
  const lengths = [...new Set(Array.from(names, ({ length }) => length))].toSorted((one, other) => other - one);
  const found = new Set<string>();
  let places = 0;
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])@/gu)) {
    if ((places += 1) > maximumPlaces) break;
    const start = index + 1;
    const longest = lengths.find((length) => {
      const end = start + length;
      return names.has(text.slice(start, end)) && !/^[\p{L}\p{N}]/u.test(text.slice(end, end + 2));
    });
    if (longest !== undefined) found.add(text.slice(start, start + longest));
  }
  const mentioned = all.filter(({ name }) => found.has(name));
  const ids = (isGroup: boolean) => mentioned.filter((one) => one.isGroup === isGroup).map(({ id }) => id);
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
