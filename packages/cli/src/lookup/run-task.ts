import type { Run, RunTask } from '@runward/sdk';
import { findTask as findAmong } from '@runward/sdk/find';

/**
 * Finds a task of a run by its runTaskId, its title, or an unambiguous start of its title.
 *
 * @throws FindError if there is none, or more than one
 */
export function findTask({ tasks }: Run, idOrTitle: string): RunTask {
  return findAmong(tasks, idOrTitle, { byStart: true });
}

/** The same task in a later state of the run. */
export function sameTask({ tasks }: Run, { runTaskId }: RunTask): RunTask {
  return findAmong(tasks, runTaskId);
}
