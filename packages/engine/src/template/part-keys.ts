import type { ProcessDocument } from '../process.ts';
import { freeKey, keyFrom } from './keys.ts';

/** A part that people rename, with the key that names it all the same. */
export interface Keyed {
  readonly id: string;
  readonly key?: string | undefined;
}

/** The keys of the parts of a document, by their ids. Unique among the parts of one kind. */
export interface PartKeys {
  readonly phases: ReadonlyMap<string, string>;
  readonly tasks: ReadonlyMap<string, string>;
  readonly rules: ReadonlyMap<string, string>;
}

/** A part, and the text that its key is derived from. */
interface Derived {
  readonly part: Keyed;
  readonly from: string;
}

/**
 * The keys of all phases, tasks and rules: the key that a part has, or one derived from its name. The key of a task is
 * never the title of another task, because references can be either.
 */
export function partKeys({ phases, tasks }: ProcessDocument): PartKeys {
  const titles = Map.groupBy(tasks, ({ title }) => title);
  const isTitleOfOther = (key: string, id: string) => titles.get(key)?.some((task) => task.id !== id) ?? false;
  const ofTasks = keysOf(
    tasks.map((part) => ({ part, from: keyFrom(part.title, 'task', '-') })),
    isTitleOfOther,
  );
  const rules = tasks.flatMap((task) =>
    task.rules.map((part) => {
      const from = part.name === null ? `${ofTasks.get(task.id)} rule` : part.name;
      return { part, from: keyFrom(from, 'rule', '-') };
    }),
  );
  return {
    phases: keysOf(phases.map((part) => ({ part, from: keyFrom(part.name, 'phase', '-') }))),
    tasks: ofTasks,
    rules: keysOf(rules),
  };
}

function keysOf(parts: readonly Derived[], isUnusable: (key: string, id: string) => boolean = () => false) {
  const taken = new Set(parts.flatMap(({ part }) => part.key ?? []));
  const keys = new Map<string, string>();
  for (const { part, from } of parts) {
    const { id } = part;
    const key = part.key ?? freeKey(from, { has: (one) => taken.has(one) || isUnusable(one, id) }, '-');
    taken.add(key);
    keys.set(id, key);
  }
  return keys;
}

/** A change of a part that has a key. */
interface KeyChange {
  /** The part before the change; undefined for a new one. */
  readonly before: Keyed | undefined;
  /** The key that the caller sends. Null is the same as none. */
  readonly given: string | null | undefined;
  /** Whether the change gives it another name. */
  readonly renamed: boolean;
  /** The keys of all parts of its kind before the change. */
  readonly keys: () => ReadonlyMap<string, string>;
}

/**
 * The key of a part after a change. The name that a key was derived from is gone after a renaming, so the part gets
 * that key for good.
 */
export function keptKey({ before, given, renamed, keys }: KeyChange): string | undefined {
  if (given != null) return given;
  return before?.key ?? (before && renamed ? keys().get(before.id) : undefined);
}

/**
 * The problems of a key that another part of the same kind has, with the path inside the part. `parts` are all of that
 * kind.
 */
export function repeatedKeyProblems(kind: 'phase' | 'task' | 'rule', part: Keyed, parts: readonly Keyed[]): string[] {
  const isTaken = part.key !== undefined && parts.some(({ id, key }) => id !== part.id && key === part.key);
  return isTaken ? [`key: another ${kind} of the template has the key "${part.key}"; choose another key`] : [];
}
