import { findTask } from '@runward/sdk/find';
import { z } from 'zod';
import { nameRun } from '../describe-run.ts';
import { findRecordId, findRun } from '../lookup/find.ts';
import { quoted } from '../outline.ts';
import { defineTool } from '../tool.ts';
import { runArgument } from './get-run.ts';

/** Comments on a run or one of its tasks. */
export const addComment = defineTool({
  name: 'add_comment',
  title: 'Comment on a run or a task',
  description:
    'Adds a comment that people of the organization read, in the name of the member whose API key this is. Mentions tell people that it ' +
    'concerns them; names in the text alone do not.',
  scopes: ['runs:write', 'runs:read'],
  effect: 'write',
  input: z.strictObject({
    run: runArgument,
    task: z
      .string()
      .optional()
      .meta({ description: 'The task: its `runTaskId` or its title. Default: the run itself.' }),
    text: z.string().meta({ description: 'The comment, in Markdown.' }),
    members: z
      .array(z.string())
      .default([])
      .meta({ description: 'Members to mention: ids, names or email addresses.' }),
    groups: z.array(z.string()).default([]).meta({ description: 'Groups to mention: ids or names.' }),
  }),
  run: async (context, { run: runText, task: taskText, text, members, groups }) => {
    const { comments, tasks } = context.client.runs;
    const run = await findRun(context.client, runText);
    const task = taskText === undefined ? null : findTask(run.tasks, taskText);
    const userIds = await Promise.all(members.map((name) => findRecordId(context, 'member', name)));
    const groupIds = await Promise.all(groups.map((name) => findRecordId(context, 'group', name)));
    const body = { text, mentions: { userIds, groupIds } };
    const { id } = await (task ? tasks.comment(task.runTaskId, body) : comments.create(run.id, body));
    return {
      summary: `Commented on ${task ? `${quoted(task.title)} of ` : ''}${nameRun(run)}.`,
      data: { commentId: id },
    };
  },
});
