import type { Display, RunState } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { describeRows } from '../../data-sources/queries/describe-rows.ts';
import { RunFile } from '../../files/entities/run-file.ts';
import { Group } from '../../organization/entities/group.ts';
import { User } from '../../organization/entities/user.ts';

/**
 * Builds a text for people with the names of its ids. `build` is called twice: first to collect the ids, then with the
 * names of the members, groups, files and data source rows among them. A row that a value names has the label that it
 * had when it was chosen. Dates are written out, with times in the time zone of the organization.
 */
export async function withDisplay<Result>(
  context: Pick<RequestContext, 'em' | 'actor'>,
  run: RunState,
  build: (display: Display) => Result,
): Promise<Result> {
  return build(await displayFor(context, run, build));
}

/** The names of all ids that `build` asks for until it ends, for a text that is built later. */
export async function displayFor(
  context: Pick<RequestContext, 'em' | 'actor'>,
  run: RunState,
  build: (display: Display) => unknown,
): Promise<Display> {
  const { ids, collect } = collectingNames();
  await build(collect);
  return displayOf(context, run, ids);
}

/** A display without names that collects the requested ids. */
export function collectingNames(): { readonly ids: Set<string>; readonly collect: Display } {
  const ids = new Set<string>();
  const nameOf = (id: string) => {
    ids.add(id);
    return id;
  };
  const asIs = (time: string) => time;
  return { ids, collect: { nameOf, date: asIs, dateTime: asIs } };
}

/** The names of some ids. */
export async function displayOf(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  run: RunState,
  ids: ReadonlySet<string>,
): Promise<Display> {
  const { organizationId, timeZone } = actor;
  const texts = dateTexts(timeZone);
  if (ids.size === 0) return { ...texts, nameOf: (id) => id };
  const where = { organizationId, id: { $in: [...ids] } };
  const options = { fields: ['id', 'name'], disableIdentityMap: true } as const;
  const named = [...(await em.find(User, where, options)), ...(await em.find(Group, where, options))];
  const files = await em.find(RunFile, where, { fields: ['id', 'fileName'], disableIdentityMap: true });
  const rows = await describeRows({ em, actor }, [...ids]);
  const names = new Map([
    ...named.map(({ id, name }) => [id, name] as const),
    ...files.map(({ id, fileName }) => [id, fileName] as const),
    ...[...rows.values()].map(({ id, label }) => [id, label] as const),
    ...chosenRows(run),
  ]);
  return { ...texts, nameOf: (id) => names.get(id.toLowerCase()) ?? id };
}

/** The rows that values name, with their labels when they were chosen. */
function chosenRows({ tasks }: RunState): (readonly [id: string, label: string])[] {
  return tasks.flatMap(({ entries }) =>
    entries.flatMap(({ values }) =>
      values.flatMap(({ value, rowLabel }) =>
        rowLabel && typeof value === 'string' ? [[value, rowLabel] as const] : [],
      ),
    ),
  );
}

/** Dates and times written out, in a time zone. */
export function dateTexts(timeZone: string): Omit<Display, 'nameOf'> {
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  const dates = new Intl.DateTimeFormat('en-GB', { ...day, timeZone: 'UTC' });
  const dateTimes = new Intl.DateTimeFormat('en-GB', { ...day, ...time, timeZone });
  return {
    date: (date) => dates.format(new Date(date)),
    dateTime: (at) => dateTimes.format(new Date(at)),
  };
}
