import { batchByKey } from '../../database/batch.ts';
import type { Em } from '../../database/database.ts';
import { changedMeanwhile, isStatementError } from '../../database/errors.ts';
import { saveChanges, saveLaunches, type ChangeContext, type RunChange } from './save.ts';

/** The maximum number of runs that one statement saves, and of the tasks that each of them has. */
const maximumRuns = 10;
const maximumTasks = 100;

/** A launch or another change of a run, and the connection of its request. */
interface Call {
  readonly em: Em;
  readonly context: ChangeContext;
  readonly change: RunChange;
}

/**
 * Saves a launch or another change of a run. Requests of one caller that save at the same time share a statement, which
 * saves all of their changes or none. If it saved none, each is saved alone. Returns false, and saves nothing, if
 * something has changed since it was read.
 */
export async function saveTogether(em: Em, context: ChangeContext, change: RunChange): Promise<boolean> {
  const call = { em, context, change };
  if (em.isInTransaction() || isAlone(change)) return saveAll([call]);
  const { before, after, facts } = change;
  // All launches of a version are saved, or none. Changes that consist of the same facts write the same tables, so that
  // there are few different statements to prepare.
  const kind = before ? [...new Set(facts.map(({ type }) => type))] : after.templateVersionId;
  return em.shared(saves)(JSON.stringify([context, kind]), call);
}

/** Whether a change is never saved with others: the run is large, or the statement has a part for each row it names. */
function isAlone({ after, facts, groupIds, assigneeIds }: RunChange): boolean {
  const namesRows = groupIds.length > 0 || assigneeIds.length > 0;
  return after.tasks.length > maximumTasks || namesRows || facts.some(({ type }) => type.startsWith('comment.'));
}

const saves = () =>
  batchByKey<Call, boolean>(
    async (_key, calls) => {
      const isSaved = await saveAll(calls);
      return calls.map(() => isSaved);
    },
    // After the loss of a connection, the changes may have been saved, and are not saved again.
    { atATime: 2, most: maximumRuns, retriesAlone: isStatementError },
  );

/** Throws a retryable error if there are several changes, and something has changed since they were read. */
async function saveAll(calls: readonly Call[]): Promise<boolean> {
  const [first] = calls;
  if (!first) return true;
  const changes = calls.map(({ change }) => change);
  const runIds = new Set(changes.map(({ after }) => after.id));
  const save = first.change.before ? saveChanges : saveLaunches;
  const isSaved = runIds.size === calls.length && (await save(first.em, first.context, changes));
  if (!isSaved && calls.length > 1) throw changedMeanwhile();
  return isSaved;
}
