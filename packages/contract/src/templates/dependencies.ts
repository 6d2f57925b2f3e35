import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id, idList } from '../values.ts';
import { draftRejections } from './rejections.ts';
import { task } from './tasks.ts';

const named = {
  taskId: id.describe('Id of the task.'),
  title: z.string().describe('Title of the task.'),
};

/** A node of a dependency tree. */
export interface DependencyTree {
  taskId: string;
  title: string;
  repeated?: true | undefined;
  dependsOn?: DependencyTree[] | undefined;
  blocks?: DependencyTree[] | undefined;
}

/** A task with what it depends on and what it blocks, to any depth. */
const dependencyTree: z.ZodType<DependencyTree> = component(
  'DependencyTree',
  'A task with the tasks it depends on and the tasks it blocks. Below `dependsOn`, `blocks` is empty, and the reverse.',
  {
    ...named,
    repeated: z
      .literal(true)
      .optional()
      .describe('Present if the task occurs earlier in the same direction of the tree; it has no children here.'),
    get dependsOn(): z.ZodOptional<z.ZodArray<typeof dependencyTree>> {
      return z.array(dependencyTree).optional().describe('The tasks that must be completed first.');
    },
    get blocks(): z.ZodOptional<z.ZodArray<typeof dependencyTree>> {
      return z.array(dependencyTree).optional().describe('The tasks that wait for this one.');
    },
  },
);

/** Dependencies between the tasks of a draft (spec: Templates). */
export const templateDependencies = {
  list: {
    method: 'GET',
    path: '/templates/:id/tasks/:taskId/dependencies',
    large: true,
    access: 'templates:read',
    summary: 'List the tasks that must be completed before a task',
    description: 'Reads the draft.',
    query: pageQuery,
    response: page(component('Dependency', 'A task that another depends on.', named)),
  },
  set: {
    method: 'PUT',
    path: '/templates/:id/tasks/:taskId/dependencies',
    large: true,
    access: 'templates:write',
    summary: 'Set the tasks that must be completed before a task',
    description:
      'Replaces all dependencies of the task. In a run the task is BLOCKED until they are completed; hidden tasks do not block. Returns ' +
      '400 for an unknown task, for the task itself, and for a cycle, with its path. Changes only the draft.',
    body: component('SetDependencies', 'The tasks that must be completed before a task.', {
      taskIds: idList(500).describe('Tasks of the template; empty for none.'),
    }),
    errors: draftRejections,
    response: task,
  },
  tree: {
    method: 'GET',
    path: '/templates/:id/tasks/:taskId/dependency-tree',
    large: true,
    access: 'templates:read',
    summary: 'Get everything a task depends on and everything it blocks',
    description:
      'Reads the draft, to any depth. A task that occurs again is marked as repeated and has no children there.',
    response: dependencyTree,
  },
} as const satisfies Group;
