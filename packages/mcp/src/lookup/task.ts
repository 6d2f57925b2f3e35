import type { Client, Run, RunTask } from '@runward/sdk';
import { z } from 'zod';
import { ToolError } from '../tool-error.ts';
import { choose } from './choose.ts';
import { isId } from './ids.ts';
import { findRun } from './run.ts';

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
 * A task by its `runTaskId`, or by its title and its run.
 *
 * @throws ToolError if none or several fit
 */
export async function findTask(
  client: Client,
  { task: text, run: runText }: { readonly task: string; readonly run?: string | undefined },
): Promise<FoundTask> {
  if (isId(text)) {
    const runTaskId = text.toLowerCase();
    const { runId } = await client.runs.tasks.get(runTaskId);
    const run = await client.runs.get(runId);
    return { run, task: taskOf(run, runTaskId) };
  }
  if (runText === undefined) {
    throw new ToolError(`run: is required. "${text}" is the title of a task; give its run too, or use its runTaskId.`);
  }
  const run = await findRun(client, runText);
  const task = choose(run.tasks, {
    kind: 'task',
    text,
    nameOf: ({ title }) => title,
    show: ({ runTaskId, title, status }) => `${runTaskId}  ${title} (${status})`,
    remedy: `The tasks of ${run.publicId} are: ${run.tasks.map(({ title }) => `"${title}"`).join(', ')}.`,
  });
  return { run, task };
}

/** The task of a run with this id. */
export function taskOf({ tasks, publicId }: Run, runTaskId: string): RunTask {
  const task = tasks.find((candidate) => candidate.runTaskId === runTaskId);
  if (!task) throw new ToolError(`${publicId} no longer has the task ${runTaskId}. Read it again with get_run.`);
  return task;
}
