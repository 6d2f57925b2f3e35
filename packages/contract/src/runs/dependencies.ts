import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id } from '../values.ts';
import { taskRejections } from './rejections.ts';
import { taskListItem } from './task-list.ts';
import { taskStatus } from './tasks.ts';

const taskDependencies = component('TaskDependencies', 'What a task of a run waits for, and what waits for it.', {
  runTaskId: id.describe('Id of the task in this run.'),
  taskId: id.describe('Id of the task in the template.'),
  title: z.string().describe('Title of the task.'),
  status: taskStatus.describe('Status of the task.'),
  blockedBy: z.array(id).describe('Ids of the run tasks that it waits for.'),
  blocks: z.array(id).describe('Ids of the run tasks that wait for it.'),
  forceUnblocked: z.boolean().describe('Whether it was unblocked although it depends on open tasks.'),
});

/** The dependencies between the tasks of a run. Part of the group `runs`. */
export const runDependencies = {
  dependencies: {
    method: 'GET',
    path: '/runs/:id/dependencies',
    large: true,
    access: 'runs:read',
    summary: 'List the tasks of a run with what they wait for',
    description: 'By position; hidden tasks too. Tasks that are completed or hidden block no other task.',
    query: pageQuery,
    response: page(taskDependencies),
  },
} as const satisfies Group;

/** Unblocking of tasks. Part of the group `runs.tasks`. */
export const taskUnblocking = {
  forceUnblock: {
    method: 'POST',
    path: '/runs/tasks/:taskId/force-unblock',
    access: 'runs:write',
    summary: 'Unblock a task that depends on open tasks',
    description:
      '`taskId` is a `runTaskId`. The task becomes PENDING and is not blocked again. Unblocking it once more changes nothing. Returns ' +
      '400 if the task is not BLOCKED, if it is hidden, or if the run is not active.',
    errors: [...taskRejections, 'task_not_blocked'],
    response: taskListItem,
  },
} as const satisfies Group;
