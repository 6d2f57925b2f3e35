import { findTask } from '@runward/sdk/find';
import { z } from 'zod';
import { nameRun } from '../describe-run.ts';
import { findRun } from '../lookup/find.ts';
import { defineTool } from '../tool.ts';
import { runArgument } from './get-run.ts';

/** Explains the state of a run and its tasks. */
export const explainRun = defineTool({
  name: 'explain_run',
  title: 'Explain a run',
  description:
    'Says why a run is not complete, and why each open task is blocked, waiting, hidden, overdue or assigned as it is. Use it if something is ' +
    'stuck or surprising.',
  scopes: ['runs:read'],
  effect: 'read',
  input: z.strictObject({
    run: runArgument,
    task: z
      .string()
      .optional()
      .meta({ description: 'The title or runTaskId of one task. Default: all that are not completed.' }),
  }),
  run: async ({ client }, input) => {
    const run = await findRun(client, input.run);
    const explained = await client.runs.explain(run.id);
    const wanted = input.task;
    const tasks =
      wanted === undefined
        ? explained.tasks.filter(({ status }) => status !== 'COMPLETED')
        : [findTask(explained.tasks, wanted)];
    const reasons = explained.run.reasons.map(({ message }) => message);
    return {
      summary: `${nameRun(run)} ${explained.run.completable ? 'can be completed' : 'cannot be completed'} now.`,
      data: {
        publicId: run.publicId,
        reasons,
        tasks: tasks.map(({ runTaskId, title, status, hidden, reasons: why }) => ({
          runTaskId,
          title,
          status,
          hidden: hidden || null,
          reasons: why.map(({ message }) => message),
        })),
      },
    };
  },
});
