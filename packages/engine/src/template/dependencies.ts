import { findCycles } from '../cycles.ts';
import type { ProcessDocument, TaskDefinition } from '../process.ts';
import { invalid, notFound, partOf, replaced, type Edited } from './edit.ts';

/**
 * A task with the tasks that it depends on, or that depend on it. If a task occurs again in the same tree, it has no
 * children there.
 */
export interface DependencyNode {
  readonly task: TaskDefinition;
  readonly repeated: boolean;
  readonly children: readonly DependencyNode[];
}

/** Replaces the dependencies of a task. Rejects unknown tasks, the task itself and cycles. */
export function setDependencies(
  document: ProcessDocument,
  taskId: string,
  dependencies: readonly string[],
): Edited<TaskDefinition> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  const problems = dependencyProblems(document, { id: taskId, dependencies });
  if (problems.length > 0) return invalid(problems.map((problem) => `taskIds${problem}`));

  const value = { ...task, dependencies };
  const tasks = replaced(document.tasks, value);
  const cycles = findDependencyCycles({ ...document, tasks });
  if (cycles.length > 0) return invalid(cycles.map((cycle) => `taskIds: ${cycleMessage(cycle)}`));
  return { document: { ...document, tasks }, value };
}

/** The problem of each dependency of a task. A message begins with the index: `[0]: the template has no task …`. */
export function dependencyProblems(
  { tasks }: Pick<ProcessDocument, 'tasks'>,
  { id: taskId, dependencies }: Pick<TaskDefinition, 'id' | 'dependencies'>,
): string[] {
  const ids = new Set(tasks.map(({ id }) => id));
  return dependencies.flatMap((id, index) => {
    if (id === taskId) return [`[${index}]: a task cannot depend on itself; remove its own id`];
    return ids.has(id) ? [] : [`[${index}]: the template has no task ${id}; use the id of one of its tasks`];
  });
}

/** Finds cycles of dependencies: each task depends on the next, and the last on the first. */
export function findDependencyCycles({ tasks }: ProcessDocument): readonly (readonly TaskDefinition[])[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return findCycles(tasks, ({ dependencies }) => dependencies.flatMap((id) => byId.get(id) ?? []));
}

/** The message for a cycle, with its path: `the tasks wait for each other: "A" -> "B" -> "A"; …`. */
export function cycleMessage(cycle: readonly TaskDefinition[]): string {
  const path = [...cycle, ...cycle.slice(0, 1)].map(({ title }) => `"${title}"`).join(' -> ');
  return `the tasks wait for each other: ${path}; remove one of these dependencies`;
}

/** The tasks that a task depends on, and the tasks that depend on it, to any depth. Null if there is no such task. */
export function dependencyTrees(
  { tasks }: ProcessDocument,
  taskId: string,
): { readonly task: TaskDefinition; readonly dependsOn: DependencyNode[]; readonly blocks: DependencyNode[] } | null {
  const task = partOf(tasks, taskId);
  if (!task) return null;
  const byId = new Map(tasks.map((each) => [each.id, each]));
  const blocked = new Map<string, TaskDefinition[]>();
  for (const each of tasks) {
    for (const id of each.dependencies) blocked.set(id, [...(blocked.get(id) ?? []), each]);
  }
  return {
    task,
    dependsOn: childrenOf(task, ({ dependencies }) => dependencies.flatMap((id) => byId.get(id) ?? [])),
    blocks: childrenOf(task, ({ id }) => blocked.get(id) ?? []),
  };
}

function childrenOf(root: TaskDefinition, next: (task: TaskDefinition) => readonly TaskDefinition[]): DependencyNode[] {
  const seen = new Set<TaskDefinition>([root]);
  const children = (task: TaskDefinition): DependencyNode[] =>
    next(task).map((child) => {
      if (seen.has(child)) return { task: child, repeated: true, children: [] };
      seen.add(child);
      return { task: child, repeated: false, children: children(child) };
    });
  return children(root);
}
