import type { Change, PartProperties, ProcessDocument } from '@runward/engine';
import type { People } from './people.ts';
import type { PlannedChange } from './plan.ts';

/** What changes are translated with. */
interface Context {
  readonly before: ProcessDocument;
  readonly after: ProcessDocument;
  readonly people: People;
}

/**
 * Makes changes readable: ids become titles, keys, email addresses and names, and properties are named as in a template
 * file (`phaseId` becomes `phase`, `taskIds` becomes `tasks`). Only existing parts have an id.
 */
export function inNames({ before, after, people }: Context): (change: Change) => PlannedChange {
  const existing = namesIn(before);
  const names = new Map([...existing, ...namesIn(after)]);
  const nameOf = (text: string) =>
    names.get(text) ?? people.sources.nameOf(people.groups.nameOf(people.users.nameOf(text)));

  const valueOf = (value: unknown): unknown => {
    if (typeof value === 'string') return nameOf(value);
    if (Array.isArray(value)) return value.map(valueOf);
    return typeof value === 'object' && value !== null ? propertiesOf({ ...value }) : value;
  };
  const propertiesOf = (properties: PartProperties): PartProperties =>
    Object.fromEntries(Object.entries(properties).map(([key, value]) => [nameOfProperty(key), valueOf(value)]));

  return ({ id, before: was, after: is, ...change }) => ({
    ...change,
    id: existing.has(id) ? id : null,
    ...(was && { before: propertiesOf(was) }),
    ...(is && { after: propertiesOf(is) }),
  });
}

/** What the parts of a document are called, by their ids. */
function namesIn({ phases, tasks, variables }: ProcessDocument): Map<string, string> {
  const fields = tasks.flatMap((task) => task.fields);
  const rules = tasks.flatMap((task) => task.rules);
  return new Map([
    ...phases.map(({ id, name }) => [id, name] as const),
    ...tasks.map(({ id, title }) => [id, title] as const),
    ...[...fields, ...variables].map(({ id, key }) => [id, key] as const),
    ...rules.map(({ id, name }) => [id, name ?? id] as const),
  ]);
}

function nameOfProperty(key: string): string {
  return key.replace(/Ids$/, 's').replace(/Id$/, '');
}
