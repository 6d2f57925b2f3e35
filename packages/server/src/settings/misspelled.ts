/**
 * Variables of other programs whose names resemble those of the service: of Jenkins, of Kubernetes for a service called
 * postgresql, of PostgreSQL clients.
 */
const foreign = new Set(['JOB_URL', 'POSTGRESQL_PORT', 'POSTGRES_HOST']);

/** Shorter names resemble each other by chance. */
const minimumLength = 6;

/**
 * The `names` that resemble one of `known`, each with the known name: at most two letters have to be added, removed or
 * replaced.
 */
export function misspelled(
  names: readonly string[],
  known: readonly string[],
): (readonly [name: string, meant: string])[] {
  const isLong = (name: string) => name.length >= minimumLength;
  const unknown = names.filter((name) => isLong(name) && !known.includes(name) && !foreign.has(name));
  return unknown.flatMap((name) => {
    const near = (edits: number) => known.find((each) => isLong(each) && isWithin(edits, name, each));
    const meant = near(1) ?? near(2);
    return meant === undefined ? [] : [[name, meant] as const];
  });
}

/** Whether at most this many changed letters turn one text into the other. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === other) return true;
  if (edits === 0) return false;
  let same = 0;
  while (one[same] !== undefined && one[same] === other[same]) same += 1;
  const [from, to] = [one.slice(same), other.slice(same)];
  const changes = [
    [from.slice(1), to],
    [from, to.slice(1)],
    [from.slice(1), to.slice(1)],
  ] as const;
  return changes.some(([a, b]) => isWithin(edits - 1, a, b));
}
