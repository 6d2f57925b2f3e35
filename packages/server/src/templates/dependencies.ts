import type { Contract, Parts, Response } from '@runward/contract';
import { dependencyTrees, setDependencies, type DependencyNode, type TaskDefinition } from '@runward/engine';
import { findDraft } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import { found } from '../api-error.ts';
import { pageOfAll } from '../paging.ts';
import { editDraft } from './change/edit-draft.ts';
import { presentTask } from './present-document.ts';

type Tree = Response<Contract['templates.dependencies']['tree']>;

/** Dependencies between the tasks of a template's draft (spec: Templates). */
export const templateDependencies: Handlers<Parts['templateDependencies']> = {
  list: async ({ params: { id, taskId }, query, ...context }) => {
    const { tasks } = (await findDraft(context, id)).draft;
    const task = found(
      tasks.find((candidate) => candidate.id === taskId),
      'Task',
    );
    const byId = new Map(tasks.map((each) => [each.id, each]));
    return pageOfAll(
      task.dependencies.flatMap((dependency) => byId.get(dependency) ?? []).map(named),
      query,
      context.ports.limits,
    );
  },

  set: async ({ params: { id, taskId }, body, ...context }) => {
    const { document, value } = await editDraft(context, id, (draft) => setDependencies(draft, taskId, body.taskIds));
    return presentTask(document, value);
  },

  tree: async ({ params: { id, taskId }, ...context }) => {
    const { draft } = await findDraft(context, id);
    const { task, dependsOn, blocks } = found(dependencyTrees(draft, taskId), 'Task');
    return {
      ...named(task),
      dependsOn: dependsOn.map((node) => presentNode(node, 'dependsOn')),
      blocks: blocks.map((node) => presentNode(node, 'blocks')),
    };
  },
};

function named({ id, title }: TaskDefinition) {
  return { taskId: id, title };
}

function presentNode({ task, repeated, children }: DependencyNode, direction: 'dependsOn' | 'blocks'): Tree {
  if (repeated) return { ...named(task), repeated };
  const below = children.map((child) => presentNode(child, direction));
  return { ...named(task), dependsOn: [], blocks: [], [direction]: below };
}
