import type { Display } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { Group } from '../organization/entities/group.ts';
import { User } from '../organization/entities/user.ts';

/**
 * Builds a text for people from the ids that it names. `build` is called twice: first to collect the ids, then with the names of the
 * members and groups among them. Dates are written out, times in the time zone of the organization.
 */
export async function withDisplay<Result>(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  build: (display: Display) => Result,
): Promise<Result> {
  const { organizationId, timeZone } = actor;
  const ids = new Set<string>();
  const texts = dateTexts(timeZone);
  const collect = (id: string) => {
    ids.add(id);
    return id;
  };
  const unnamed = build({ ...texts, nameOf: collect });
  if (ids.size === 0) return unnamed;
  const where = { organizationId, id: { $in: [...ids] } };
  const options = { fields: ['id', 'name'], disableIdentityMap: true } as const;
  const named = [...(await em.find(User, where, options)), ...(await em.find(Group, where, options))];
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return build({ ...texts, nameOf: (id) => names.get(id.toLowerCase()) ?? id });
}

function dateTexts(timeZone: string): Omit<Display, 'nameOf'> {
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  const dates = new Intl.DateTimeFormat('en-GB', { ...day, timeZone: 'UTC' });
  const dateTimes = new Intl.DateTimeFormat('en-GB', { ...day, ...time, timeZone });
  return {
    date: (date) => dates.format(new Date(date)),
    dateTime: (at) => dateTimes.format(new Date(at)),
  };
}
