import { contract, taskStatuses } from '@runward/contract';
import { findRunId } from '@runward/sdk/find';
import { z } from 'zod';
import { describeList, listArguments } from '../list-arguments.ts';
import { findRecordId } from '../lookup/find.ts';
import { readPeople } from '../lookup/people.ts';
import { defineTool } from '../tool.ts';

const { dueBefore, dueAfter } = contract['runs.tasks'].list.query.shape;

const openStatuses = taskStatuses.filter((status) => status !== 'COMPLETED');

/** Lists tasks over all runs. */
export const listTasks = defineTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    'Lists open tasks of active runs, the earliest deadline first. `assignee: "me"` are the tasks that are assigned to the member whose API key this is; list_my_tasks also has those of groups. To do one, ' +
    'use read_form and submit_form with its runTaskId.',
  scopes: ['runs:read'],
  effect: 'read',
  input: z.strictObject({
    assignee: z
      .string()
      .optional()
      .meta({ description: '`me`, or the email address, name or id of a member. Default: all.' }),
    group: z
      .string()
      .optional()
      .meta({ description: 'The name or id of the group they are assigned to. Default: all.' }),
    run: z.string().optional().meta({ description: 'Only those of one run: its id, `RUN-…` or title. Default: all.' }),
    template: z
      .string()
      .optional()
      .meta({ description: 'The id or the name of the template of their runs. Default: all.' }),
    statuses: z
      .array(z.enum(taskStatuses))
      .min(1, 'must not be empty')
      .default(openStatuses)
      .meta({ description: `Default: ${openStatuses.join(', ')}, the open ones.` }),
    overdue: z.boolean().optional().meta({ description: 'true: only tasks past their deadline. Default: all.' }),
    dueAfter,
    dueBefore,
    ...listArguments,
  }),
  run: async (context, { assignee, group, run, template, statuses, ...rest }) => {
    const { client } = context;
    const page = await client.runs.tasks.list({
      ...rest,
      total: 'bounded',
      status: statuses,
      assigneeId:
        assignee === undefined || assignee === 'me' ? assignee : await findRecordId(context, 'member', assignee),
      assigneeGroupId: group === undefined ? undefined : await findRecordId(context, 'group', group),
      runId: run === undefined ? undefined : await findRunId(client, run),
      templateId: template === undefined ? undefined : await findRecordId(context, 'template', template),
    });
    const people = await readPeople(
      context,
      page.data.flatMap((task) => [task.assigneeId, task.assigneeGroupId]),
    );
    const tasks = page.data.map((task) => {
      const assigned = task.assigneeId ?? task.assigneeGroupId;
      return {
        runTaskId: task.runTaskId,
        title: task.title,
        status: task.status,
        run: `${task.runPublicId} ${task.runTitle}`,
        deadlineAt: task.deadlineAt,
        assignedTo: assigned === null ? null : people.nameOf(assigned),
        approval: task.approval?.status ?? null,
      };
    });
    return { summary: describeList('task', page), data: { tasks, nextCursor: page.nextCursor } };
  },
});
