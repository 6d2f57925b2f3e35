import type { RunState, TaskState } from '@runward/engine';
import { LRUCache } from 'lru-cache';
import type { ActivityHead } from '../change/activity-of.ts';
import type { RunTarget } from './target.ts';

/** A run as its own rows have it. */
export interface StoredRun extends ActivityHead {
  readonly organizationId: string;
  readonly state: RunState;
  readonly lastActivityAt: string;
  readonly updatedAt: string;
}

/** A run that was read or saved. */
interface KnownRun extends StoredRun {
  /** Whether the tasks have their entries. */
  readonly forms: boolean;
}

/** In bytes, as `sizeOf` estimates them. */
const maximumSize = 8 * 1024 * 1024;

/**
 * The runs that this process has read or saved last, of all organizations, by their ids. The hash of a line of activity covers the facts of
 * all lines up to it, and all that the rows of a run hold follows from its facts: with the same hash they are the same. Whoever reads a run
 * compares the hash with that of its row, in the statement that reads the row: what another process has changed is not used.
 */
const runs = new LRUCache<string, KnownRun>({
  maxSize: maximumSize,
  sizeCalculation: sizeOf,
});

/** The runs of tasks and entries that identified a run lately, and of entries of known runs. */
const runIds = new LRUCache<string, string>({ max: 20_000 });

/** A known run of an organization, if there is one that has what `forms` asks for. */
export function knownRun(organizationId: string, target: RunTarget, forms: boolean): StoredRun | undefined {
  const run = runs.get('runId' in target ? target.runId : (runIds.get(idIn(target)) ?? ''));
  return run?.organizationId === organizationId && (run.forms || !forms) ? run : undefined;
}

/** Keeps a run that was read or saved. */
export function remember(
  { organizationId, state, activityCount, activityHash, lastActivityAt, updatedAt }: StoredRun,
  { forms, target }: { readonly forms: boolean; readonly target?: RunTarget },
): void {
  const { id, tasks } = state;
  runs.set(id, { organizationId, state, activityCount, activityHash, lastActivityAt, updatedAt, forms });
  if (target && !('runId' in target)) runIds.set(idIn(target), id);
  for (const { entries } of tasks) for (const entry of entries) runIds.set(entry.id, id);
}

/** Forgets all runs, for tests that change rows without activity. */
export function forgetRuns(): void {
  runs.clear();
}

function idIn(target: Exclude<RunTarget, { readonly runId: string }>): string {
  return 'runTaskId' in target ? target.runTaskId : target.entryId;
}

/** Of the state, and of the overview that is kept with it. */
function sizeOf({ state: { tasks, removedTasks } }: KnownRun): number {
  return 2_000 + sum([...tasks, ...removedTasks], sizeOfTask);
}

function sizeOfTask({ entries }: TaskState): number {
  return 1_100 + sum(entries, ({ values, setAside }) => 500 + sum([...values, ...setAside], sizeOfValue));
}

function sizeOfValue({ value }: { readonly value: unknown }): number {
  return 500 + 2 * (typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length);
}

function sum<Item>(items: readonly Item[], sizeOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}
