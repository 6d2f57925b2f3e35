import type { ProcessDocument, TaskDefinition } from '../process.ts';
import { graphOf, sourceOf, targetsOf, type Target } from '../rules/graph.ts';
import type { Domain } from './domains.ts';

/** Rules that depend on each other, with what they read and change. Groups do not affect each other. */
export interface Group {
  readonly inputs: readonly Target[];
  readonly targets: readonly Target[];
}

/**
 * Divides the rules of a document into independent groups: every outcome of one group can be combined with every
 * outcome of another.
 */
export function groupsOf(document: ProcessDocument, domains: ReadonlyMap<Target, Domain>): Group[] {
  const { rules, effects, taskOfField } = graphOf(document);
  const sets = new Sets<Target>();
  const joinTask = (target: Target, taskId: string | undefined) => {
    if (taskId !== undefined && effects.has(`task:${taskId}`)) sets.join(target, `task:${taskId}`);
  };
  for (const { rule } of rules) {
    const all = [...rule.conditions.map(sourceOf), ...rule.actions.flatMap(targetsOf)];
    for (const one of all) sets.join(all[0] ?? one, one);
  }
  for (const target of [...domains.keys(), ...effects.keys()]) {
    const [kind, name] = [target.slice(0, target.indexOf(':')), target.slice(target.indexOf(':') + 1)];
    // A field is visible only with its task, and an assignment matters only if the task is visible.
    if (kind === 'field') joinTask(target, taskOfField.get(name));
    if (kind === 'assignee') joinTask(target, name);
  }
  for (const [input, { read, task }] of domains) {
    // Whether the field must be filled in depends on the tasks that wait for its task.
    if (!task || !('required' in read) || !read.required || task.required) continue;
    for (const waiting of waitingFor(document, task)) joinTask(input, waiting.id);
  }
  const groups = new Map<Target, { inputs: Target[]; targets: Target[] }>();
  const groupOf = (target: Target) => {
    const known = groups.get(sets.find(target));
    const group = known ?? { inputs: [], targets: [] };
    if (!known) groups.set(sets.find(target), group);
    return group;
  };
  for (const input of domains.keys()) groupOf(input).inputs.push(input);
  for (const target of effects.keys()) groupOf(target).targets.push(target);
  return [...groups.values()];
}

/** The tasks that depend on a task, directly or through other tasks, if all tasks on the way are visible. */
export function waitingFor(
  { tasks }: ProcessDocument,
  task: TaskDefinition,
  isVisible: (task: TaskDefinition) => boolean = () => true,
): TaskDefinition[] {
  const found = new Set([task]);
  // A loop over a set also visits items that are added meanwhile.
  for (const { id } of found) {
    for (const other of tasks) if (other.dependencies.includes(id) && isVisible(other)) found.add(other);
  }
  found.delete(task);
  return [...found];
}

/** Disjoint sets, which can be joined. */
class Sets<Item> {
  readonly #parents = new Map<Item, Item>();

  find(item: Item): Item {
    let root = item;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) root = parent;
    return root;
  }

  join(one: Item, other: Item): void {
    const [first, second] = [this.find(one), this.find(other)];
    if (first !== second) this.#parents.set(second, first);
  }
}
