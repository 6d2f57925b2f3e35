import type { Client, Run, RunTask } from '@runward/sdk';
import { findTask, isId } from '@runward/sdk/find';
import { z } from 'zod';
import { ToolError } from '../tool-error.ts';
import { findRun } from './find.ts';

/** The arguments that name a task of a run. */
export const taskArguments = {
  task: z.string().min(1, 'must not be empty').meta({
    description: 'The `runTaskId` of the task, as list_tasks and get_run return it; or with `run`, its title.',
  }),
  run: z
    .string()
    .min(1, 'must not be empty')
    .optional()
    .meta({ description: 'The run of the task: its id, `RUN-…` or title. Needed if `task` is a title.' }),
};

/** A task with its run. */
export interface FoundTask {
  readonly run: Run;
  readonly task: RunTask;
}

/**
 * Finds a task by its `runTaskId`, or by its title and its run.
 *
 * @throws FindError if none or several fit; ToolError if a title is given without a run
 */
export async function findTaskOfRun(
  client: Client,
  { task: text, run: runText }: { readonly task: string; readonly run?: string | undefined },
): Promise<FoundTask> {
  if (isId(text)) {
    const runTaskId = text.toLowerCase();
    const { runId } = await client.runs.tasks.get(runTaskId);
    const run = await client.runs.get(runId);
    return { run, task: findTask(run.tasks, runTaskId) };
  }
  if (runText === undefined) {
    throw new ToolError(`run: is required. "${text}" is the title of a task; give its run too, or use its runTaskId.`);
  }
  const run = await findRun(client, runText);
  return { run, task: findTask(run.tasks, text) };
}
