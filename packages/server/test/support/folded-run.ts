import { fold, versionsNamedBy, type EntryState, type Fact, type RunState, type TaskState } from '@runward/engine';
import type { TestApp } from '@runward/testing/app';
import type { ExecutionContext } from 'ava';
import { Activity } from '../../src/runs/entities/activity.ts';
import { loadRun } from '../../src/runs/store/load.ts';
import { loadDocuments } from '../../src/templates/load-document.ts';

/** Fails unless folding the activity of a run gives the state that is stored. */
export async function isFolded(
  t: ExecutionContext,
  { database }: Pick<TestApp, 'database'>,
  organizationId: string,
  runId: string,
): Promise<void> {
  const em = database.em.fork();
  const lines = await em.find(Activity, { organizationId, runId }, { orderBy: { sequence: 'asc' } });
  const factOf = ({ type, at, data }: Activity) => ({ type, at: at.toISOString(), ...data }) as Fact;
  const facts = lines.map(factOf);
  const folded = fold(await loadDocuments(em, organizationId, versionsNamedBy(facts)), facts);
  const stored = await loadRun(em, organizationId, { runId }, { forms: true });
  t.truthy(folded);
  t.deepEqual(folded && inOrder(folded), stored && inOrder(stored.state));
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
