import type { Run, RunTask } from '@runward/sdk';
import { notFound, usage } from '../errors.ts';
import { isId } from './ids.ts';

/**
 * A task of a run by its runTaskId, its title, or the start of its title if no other task has it. Case is ignored.
 *
 * @throws CliError if there is none, or more than one
 */
export function findTask({ tasks }: Run, idOrTitle: string): RunTask {
  const wanted = idOrTitle.trim().toLowerCase();
  const byId = tasks.find((task) => task.runTaskId === wanted);
  if (byId) return byId;

  const byTitle = tasks.filter((task) => task.title.toLowerCase() === wanted);
  const matches = byTitle.length > 0 ? byTitle : tasks.filter((task) => task.title.toLowerCase().startsWith(wanted));
  const [found, ...others] = matches;
  if (found && others.length === 0) return found;
  if (found) {
    throw usage(
      `"${idOrTitle}" matches several tasks of the run; use a longer title or an ID:`,
      ...matches.map(toLine),
    );
  }
  const kind = isId(idOrTitle) ? 'ID' : 'title';
  throw notFound(`The run has no task with the ${kind} "${idOrTitle}". Its tasks are:`, ...tasks.map(toLine));
}

/** The same task in a later state of the run. */
export function sameTask({ tasks }: Run, { runTaskId }: RunTask): RunTask {
  const task = tasks.find((candidate) => candidate.runTaskId === runTaskId);
  if (!task) throw notFound(`The run no longer has the task ${runTaskId}.`);
  return task;
}

function toLine({ runTaskId, title, status }: RunTask): string {
  return `${runTaskId}  ${title} (${status})`;
}
