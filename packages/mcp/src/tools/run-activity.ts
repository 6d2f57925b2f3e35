import { fieldLabels } from '@runward/sdk/find';
import { z } from 'zod';
import { nameRun } from '../describe-run.ts';
import { describeList, listArguments } from '../list-arguments.ts';
import { findRun } from '../lookup/find.ts';
import { readPeople } from '../lookup/people.ts';
import { defineTool } from '../tool.ts';
import { runArgument } from './get-run.ts';

/** Lists what happened in a run. */
export const runActivity = defineTool({
  name: 'run_activity',
  title: 'List the activity of a run',
  description: 'Lists what happened in a run, newest first: when, who, what, in which task and field.',
  scopes: ['runs:read'],
  effect: 'read',
  input: z.strictObject({ run: runArgument, ...listArguments }),
  run: async (context, { run: text, ...query }) => {
    const { client } = context;
    const run = await findRun(client, text);
    const page = await client.runs.activity(run.id, query);
    const people = await readPeople(
      context,
      page.data.map(({ actor }) => actor.userId),
    );
    const titles = new Map(run.tasks.map(({ runTaskId, title }) => [runTaskId, title]));
    const labels = page.data.some(({ data }) => 'fieldId' in data) ? await fieldLabels(client, run.id) : null;
    const lines = page.data.map(({ at, actor, type, runTaskId, data }) => ({
      at,
      type,
      task: runTaskId === null ? null : (titles.get(runTaskId) ?? runTaskId),
      field: labels?.get(String(data['fieldId'])) ?? null,
      by: actor.userId === null ? actor.type : people.nameOf(actor.userId),
    }));
    return {
      summary: `${nameRun(run)}: ${describeList('line', page)}`,
      data: { activity: lines, nextCursor: page.nextCursor },
    };
  },
});
