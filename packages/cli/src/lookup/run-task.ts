import type { Contract, Response } from '@runward/contract';
import { missing, usage } from '../errors.ts';
import { isId } from './ids.ts';

/** A run with its tasks, as the API answers it. */
export type Run = Response<Contract['runs']['get']>;

/** A task of a run. */
export type RunTask = Run['tasks'][number];

/**
 * The task of a run by its runTaskId, its title, or the beginning of its title where only one begins so; case does not
 * matter.
 *
 * @throws CliError when there is none, or more than one
 */
export function findTask({ tasks }: Run, idOrTitle: string): RunTask {
  const wanted = idOrTitle.trim().toLowerCase();
  const byId = tasks.find((task) => task.runTaskId === wanted);
  if (byId) return byId;

  const named = tasks.filter((task) => task.title.toLowerCase() === wanted);
  const begun = named.length > 0 ? named : tasks.filter((task) => task.title.toLowerCase().startsWith(wanted));
  const [found, ...others] = begun;
  if (found && others.length === 0) return found;
  if (found)
    throw usage(`"${idOrTitle}" fits several tasks of the run; use a longer title or an id:`, ...begun.map(shown));
  const kind = isId(idOrTitle) ? 'id' : 'title';
  throw missing(`The run has no task with the ${kind} "${idOrTitle}". It has:`, ...tasks.map(shown));
}

/** The task of the same id in a later reading of the run. */
export function sameTask({ tasks }: Run, { runTaskId }: RunTask): RunTask {
  const task = tasks.find((candidate) => candidate.runTaskId === runTaskId);
  if (!task) throw missing(`The run has no task ${runTaskId} any more.`);
  return task;
}

function shown({ runTaskId, title, status }: RunTask): string {
  return `${runTaskId}  ${title} (${status})`;
}
