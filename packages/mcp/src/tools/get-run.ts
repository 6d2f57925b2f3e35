import { z } from 'zod';
import { describeRun, nameRun } from '../describe-run.ts';
import { findRun } from '../lookup/find.ts';
import { defineTool } from '../tool.ts';

/** What arguments that name a run say of it. */
export const runArgument = z
  .string()
  .min(1, 'must not be empty')
  .meta({ description: 'The run: its id, its public id (`RUN-…`) or its title.' });

/** Reads a run with its open tasks. */
export const getRun = defineTool({
  name: 'get_run',
  title: 'Get a run',
  description:
    'Returns a run with its progress, its variables and its open tasks: who each is assigned to, when it is due, what it waits for. For what ' +
    'was entered, use read_form; for why something is stuck, explain_run.',
  scopes: ['runs:read'],
  effect: 'read',
  input: z.strictObject({ run: runArgument }),
  run: async (context, input) => {
    const run = await findRun(context.client, input.run);
    const data = await describeRun(context, run);
    return { summary: `${nameRun(run)}: ${data.progress}.`, data };
  },
});
