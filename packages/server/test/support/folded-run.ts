import {
  fold,
  versionsNamedBy,
  type EntryState,
  type Fact,
  type ProcessDocument,
  type RunState,
  type TaskState,
} from '@runward/engine';
import type { SharedApp } from '@runward/testing/use-shared-app';
import type { ExecutionContext } from 'ava';

/** Fails unless folding the activity of a run gives the state that is stored. */
export async function isFolded(
  t: ExecutionContext,
  { provision }: Pick<SharedApp, 'provision'>,
  organizationId: string,
  runId: string,
): Promise<void> {
  const lines = await provision.query<{ type: string; at: string; data: object }>(
    'select type, at, data from activity where organization_id = $1 and run_id = $2 order by sequence',
    [organizationId, runId],
  );
  const facts = lines.map(({ type, at, data }) => ({ type, at: new Date(at).toISOString(), ...data }) as Fact);
  const versions = await provision.query<{ id: string; document: ProcessDocument }>(
    'select id, document from template_versions where organization_id = $1 and id = any ($2)',
    [organizationId, versionsNamedBy(facts)],
  );
  const documents = new Map(versions.map(({ id, document }) => [id, document]));
  const folded = fold((id) => documents.get(id) ?? t.fail(`There is no version ${id}.`), facts);
  const stored = await provision.storedRun(organizationId, runId);
  t.truthy(folded);
  t.deepEqual(folded && inOrder(folded), stored && inOrder(stored.state));
  t.is(stored?.activityCount, lines.length);
}

/** Values are submitted in no particular order, and read in the order of their last submission. */
function inOrder({ tasks, removedTasks, ...run }: RunState): RunState {
  const ordered = ({ values, setAside, ...entry }: EntryState): EntryState => ({
    ...entry,
    values: values.toSorted(byId),
    setAside: setAside.toSorted(byId),
  });
  const withOrder = ({ entries, ...task }: TaskState): TaskState => ({ ...task, entries: entries.map(ordered) });
  return { ...run, tasks: tasks.map(withOrder), removedTasks: removedTasks.map(withOrder) };
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}
