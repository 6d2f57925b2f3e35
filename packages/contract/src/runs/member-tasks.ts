import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id } from '../values.ts';

/** A task that waits for a member. */
export const openTask = z
  .strictObject({
    runTaskId: id,
    title: z.string(),
    dueAt: z.iso.datetime().nullable(),
    runId: id,
    runTitle: z.string(),
    templateId: id,
  })
  .meta({ id: 'OpenTask' });

/** Open tasks of a member; part of the group `users`. They stand here because they change runs. */
export const memberTasks = {
  openTasks: {
    method: 'GET',
    path: '/users/:id/open-tasks',
    access: 'administrator',
    summary: 'Open tasks assigned to a member, oldest first',
    query: pageQuery,
    status: 200,
    response: page(openTask),
  },
  handOver: {
    method: 'POST',
    path: '/users/:id/hand-over',
    access: 'administrator',
    summary: 'Give all open tasks of a member to another one or to a group',
    body: z
      .strictObject({ assigneeId: id.nullable().optional(), assigneeGroupId: id.nullable().optional() })
      .refine(
        (body) => (body.assigneeId == null) !== (body.assigneeGroupId == null),
        'must name either assigneeId or assigneeGroupId',
      ),
    status: 200,
    response: z.strictObject({ handedOver: z.int() }),
  },
} as const satisfies Group;
