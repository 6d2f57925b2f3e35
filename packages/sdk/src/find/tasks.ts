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
 * The task of a run or template that a person means by a text: its id or its title; with `byStart`, also the start of its title if no other
 * task has it.
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
