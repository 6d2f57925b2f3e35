import type { RunState, TaskState } from '@runward/engine';
import { LRUCache } from 'lru-cache';
import type { ActivityHead } from '../activity-of.ts';
import type { RunTarget } from './target.ts';

/** What the rows below the row of a run hold, and the document that they are read with. */
export type KnownState = Pick<RunState, 'id' | 'document' | 'tasks' | 'removedTasks'> & {
  /** The hash of the last line of the activity that led to this state. */
  readonly activityHash: string;
  /** Whether the tasks have their entries. */
  readonly forms: boolean;
};

/** In bytes, as `sizeOf` estimates them. */
const maximumSize = 8 * 1024 * 1024;

/**
 * The states that this process has read or saved last, of all organizations, by the id of the run. The hash of a line of activity covers the
 * facts of all lines up to it, so states with the same hash are the same. Whoever reads a run compares the hash with that of its row, in the
 * statement that reads the row: a state that another process has changed is not used.
 */
const states = new LRUCache<string, KnownState>({
  maxSize: maximumSize,
  sizeCalculation: sizeOf,
});

/** The runs of tasks and entries that identified a run lately, and of entries of known states. */
const runIds = new LRUCache<string, string>({ max: 20_000 });

/** The known state of a run, if there is one that has what `forms` asks for. */
export function knownState(target: RunTarget, forms: boolean): KnownState | undefined {
  const state = states.get('runId' in target ? target.runId : (runIds.get(idIn(target)) ?? ''));
  return state && (state.forms || !forms) ? state : undefined;
}

/** Keeps the state of a run that was read or saved. */
export function remember(
  { id, document, tasks, removedTasks }: RunState,
  { activityHash }: Pick<ActivityHead, 'activityHash'>,
  { forms, target }: { readonly forms: boolean; readonly target?: RunTarget },
): void {
  states.set(id, { id, document, tasks, removedTasks, activityHash, forms });
  if (target && !('runId' in target)) runIds.set(idIn(target), id);
  for (const { entries } of tasks) for (const entry of entries) runIds.set(entry.id, id);
}

/** Forgets all states, for tests that change rows without activity. */
export function forgetStates(): void {
  states.clear();
}

function idIn(target: Exclude<RunTarget, { readonly runId: string }>): string {
  return 'runTaskId' in target ? target.runTaskId : target.entryId;
}

function sizeOf({ tasks, removedTasks }: KnownState): number {
  return 1_000 + sum([...tasks, ...removedTasks], sizeOfTask);
}

function sizeOfTask({ entries }: TaskState): number {
  return 1_000 + sum(entries, ({ values, setAside }) => 500 + sum([...values, ...setAside], sizeOfValue));
}

function sizeOfValue({ value }: { readonly value: unknown }): number {
  return 500 + 2 * (typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length);
}

function sum<Item>(items: readonly Item[], sizeOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}
