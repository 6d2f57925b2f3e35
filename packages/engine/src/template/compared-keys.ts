import type { ProcessDocument } from '../process.ts';
import { partKeys } from './part-keys.ts';

interface Keyed {
  readonly id: string;
  readonly key?: string | undefined;
}

/**
 * Two documents whose parts have comparable keys. A part that gets the key that was derived from its name so far does
 * not differ, and neither does one without a key of its own.
 */
export function withComparedKeys(before: ProcessDocument, after: ProcessDocument): [ProcessDocument, ProcessDocument] {
  const [was, is] = [ownKeys(before), ownKeys(after)];
  if (was.size === 0 && is.size === 0) return [before, after];
  const { phases, tasks, rules } = partKeys(before);
  const derived = new Map([...phases, ...tasks, ...rules]);
  return [
    withKeys(before, ({ id }) => was.get(id) ?? (is.has(id) ? derived.get(id) : undefined)),
    withKeys(after, ({ id }) => is.get(id) ?? was.get(id)),
  ];
}

function ownKeys({ phases, tasks }: ProcessDocument): Map<string, string> {
  const parts: readonly Keyed[] = [...phases, ...tasks, ...tasks.flatMap(({ rules }) => rules)];
  return new Map(parts.flatMap(({ id, key }) => (key === undefined ? [] : [[id, key] as const])));
}

function withKeys(document: ProcessDocument, keyOf: (part: Keyed) => string | undefined): ProcessDocument {
  const keyed = <Part extends Keyed>(part: Part): Part => {
    const key = keyOf(part);
    return key === undefined ? part : { ...part, key };
  };
  return {
    ...document,
    phases: document.phases.map(keyed),
    tasks: document.tasks.map((task) => ({ ...keyed(task), rules: task.rules.map(keyed) })),
  };
}
