import type { ProcessDocument } from '../process.ts';
import { partKeys, type Keyed } from './part-keys.ts';

/**
 * Two documents whose keys can be compared. A part does not differ if only one of them stores its key, and the key is
 * the one that was derived from its name before.
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
