import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id } from '../values.ts';

const openTask = component('OpenTask', 'An open task that is assigned to a member.', {
  runTaskId: id.describe('Id of the task in its run.'),
  title: z.string().describe('Title of the task.'),
  dueAt: z.iso.datetime().nullable().describe('Deadline of the task; null for a task without one.'),
  runId: id.describe('The run of the task.'),
  runTitle: z.string().describe('Title of the run.'),
  templateId: id.describe('The template of the run.'),
});

/** Open tasks of a member, part of the group `users`. They are declared here because handing them over changes runs. */
export const memberTasks = {
  openTasks: {
    method: 'GET',
    path: '/users/:id/open-tasks',
    access: 'administrator',
    summary: 'List the open tasks of a member, oldest first',
    description:
      'Returns the visible tasks of active runs that are assigned to the member directly, not through a group.',
    query: pageQuery,
    response: page(openTask),
  },
  handOver: {
    method: 'POST',
    path: '/users/:id/hand-over',
    access: 'administrator',
    summary: 'Assign all open tasks of a member to another member or a group',
    description: 'All or none. The activity of each run records the change. Use it before you deactivate the member.',
    body: z
      .strictObject({
        assigneeId: id.nullable().optional().describe('Another active member whose role is not VIEWER.'),
        assigneeGroupId: id.nullable().optional().describe('A group, instead of a member.'),
      })
      .refine(
        (body) => (body.assigneeId == null) !== (body.assigneeGroupId == null),
        'must contain exactly one of assigneeId and assigneeGroupId',
      )
      .meta({ id: 'HandOverTasks', description: 'Who the tasks are assigned to: a member or a group.' }),
    errors: ['run_terminal'],
    response: component('HandOverResult', 'The result of a hand-over.', {
      handedOver: z.int().min(0).describe('Tasks that were assigned anew.'),
    }),
  },
} as const satisfies Group;
