import { choose, type Naming } from './choose.ts';

type AnyTask = { readonly title: string; readonly status?: string } & (
  | { readonly runTaskId: string }
  | { readonly id: string }
);

/** How tasks of runs and templates are named. */
export const taskNaming: Naming<AnyTask> = {
  noun: 'task',
  relation: 'has the title',
  areFew: true,
  idOf: (task) => ('runTaskId' in task ? task.runTaskId : task.id),
  namesOf: ({ title }) => [title],
  detailOf: ({ status }) => status,
};

/**
 * Finds the task that a text refers to: by its id or its title. With `byStart`, the start of a title is enough if it is
 * unambiguous.
 *
 * @throws FindError if no task fits or several do
 */
export function findTask<Task extends AnyTask>(
  tasks: readonly Task[],
  text: string,
  { byStart = false }: { readonly byStart?: boolean } = {},
): Task {
  return choose(tasks, text, { ...taskNaming, byStart });
}
