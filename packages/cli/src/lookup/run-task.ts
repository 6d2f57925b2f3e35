import type { Client, Run, RunTask } from '@runward/sdk';
import { findTask as findAmong, isId } from '@runward/sdk/find';
import { usage } from '../errors.ts';
import { idKinds } from './ids.ts';
import { findRunBefore } from './run.ts';

/**
 * Finds a task of a run by its runTaskId, its title, or an unambiguous start of its title.
 *
 * @throws FindError if there is none, or more than one
 */
export function findTask({ tasks }: Run, idOrTitle: string): RunTask {
  return findAmong(tasks, idOrTitle, { byStart: true });
}

/**
 * The ID of a task that is given as its runTaskId, or as its run and its title. See {@link findRunBefore} and
 * {@link findTask} for the errors.
 */
export async function findRunTaskId(client: Client, idOrRun: string, title?: string): Promise<string> {
  if (title !== undefined)
    return findTask(await client.runs.get(await findRunBefore(client, idOrRun, title)), title).runTaskId;
  if (isId(idOrRun)) return idOrRun.toLowerCase();
  throw usage(
    `"${idOrRun}" is not a task ID (a UUID). Give the run and then the title of the task, or find the ID with: runward ${idKinds.runTask[1]}`,
  );
}

/** The same task in a later state of the run. */
export function sameTask({ tasks }: Run, { runTaskId }: RunTask): RunTask {
  return findAmong(tasks, runTaskId);
}
