import { contract } from '@runward/contract';
import { z } from 'zod';
import { describeList, listArguments } from '../list-arguments.ts';
import { findRecordId } from '../lookup/find.ts';
import { defineTool } from '../tool.ts';

const { due, dueBefore, dueAfter } = contract['me.tasks'].list.query.shape;

/** Lists what the caller has to do. */
export const listMyTasks = defineTool({
  name: 'list_my_tasks',
  title: 'List my tasks',
  description:
    'Lists what the member whose API key this is has to do, the earliest deadline first: open tasks that are assigned to the member or to a group ' +
    'of the member, and approvals that wait for the member. To do one, use read_form and submit_form; to approve one, use decide_approval.',
  scopes: ['runs:read'],
  effect: 'read',
  input: z.strictObject({
    due,
    dueAfter,
    dueBefore,
    template: z
      .string()
      .optional()
      .meta({ description: 'The id or the name of the template of their runs. Default: all.' }),
    ...listArguments,
  }),
  run: async (context, { template, ...rest }) => {
    const page = await context.client.me.tasks.list({
      ...rest,
      total: 'bounded',
      templateId: template === undefined ? undefined : await findRecordId(context, 'template', template),
    });
    const tasks = page.data.map((task) => ({
      runTaskId: task.runTaskId,
      title: task.title,
      status: task.status,
      run: `${task.runPublicId} ${task.runTitle}`,
      due: task.due,
      deadlineAt: task.deadlineAt,
      reasons: task.reasons,
    }));
    return { summary: describeList('task', page), data: { tasks, nextCursor: page.nextCursor } };
  },
});
