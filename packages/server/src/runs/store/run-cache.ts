import type { RunState, TaskState } from '@runward/engine';
import type { Caches } from '../../caches.ts';
import type { Rendered } from '../../rendered.ts';
import type { ActivityHead } from '../change/activity-of.ts';
import type { RunTarget } from './target.ts';

/** The part of a run that its rows contain. */
export interface StoredRun extends ActivityHead {
  readonly organizationId: string;
  readonly state: RunState;
  readonly lastActivityAt: string;
  readonly updatedAt: string;
}

/** A run that was read or saved. */
interface CachedRun {
  readonly stored: StoredRun;
  /** Whether the tasks have their entries. */
  readonly forms: boolean;
  rendered?: Rendered<unknown>;
}

/**
 * The runs that this service has read or saved last. The hash of the last line of activity identifies all facts of a
 * run, and its rows follow from its facts, so equal hashes mean equal rows. The statement that reads a cached run
 * compares the hash with the hash in the row.
 */
export interface RunCache {
  /** A cached run of an organization; with entries if `forms` is set. */
  find(organizationId: string, target: RunTarget, forms: boolean): StoredRun | undefined;
  keep(run: StoredRun, options: { readonly forms: boolean }): void;
  /** Returns the result of `render` for a run. `render` is called once while the run is cached and unchanged. */
  rendered<Value>(run: ActivityHead & Pick<StoredRun, 'state'>, render: () => Rendered<Value>): Rendered<Value>;
}

/** Creates the cache of runs of a database. */
export function runCache(caches: Caches): RunCache {
  // A run refers to its documents, which have a separate budget: if a document is dropped, so are its runs.
  const runsByVersion = new Map<string, Set<string>>();
  // The cached runs of tasks and entries.
  const runIds = new Map<string, string>();
  const runs = caches.create<CachedRun>('runs', {
    sizeOf,
    onDrop: (id, { stored }) => {
      for (const versionId of versionsOf(stored.state)) {
        const ids = runsByVersion.get(versionId);
        if (ids?.delete(id) && ids.size === 0) runsByVersion.delete(versionId);
      }
      for (const partId of partsOf(stored.state)) runIds.delete(partId);
    },
  });
  caches.onDrop('documents', (versionId) => {
    for (const id of runsByVersion.get(versionId) ?? []) runs.delete(id);
  });
  return {
    find: (organizationId, target, forms) => {
      const runId = 'runId' in target ? target.runId : runIds.get(idIn(target));
      const run = runId === undefined ? undefined : runs.get(runId);
      return run?.stored.organizationId === organizationId && (run.forms || !forms) ? run.stored : undefined;
    },
    keep: (stored, { forms }) => {
      const { id } = stored.state;
      if (!runs.set(id, { stored, forms })) return;
      for (const versionId of versionsOf(stored.state)) {
        const ids = runsByVersion.get(versionId) ?? new Set();
        runsByVersion.set(versionId, ids.add(id));
      }
      for (const partId of partsOf(stored.state)) runIds.set(partId, id);
    },
    rendered: <Value>(run: ActivityHead & Pick<StoredRun, 'state'>, render: () => Rendered<Value>) => {
      const cached = runs.get(run.state.id);
      // Another organization can have a run with this id, and facts do not always change the state.
      if (cached?.stored.state !== run.state || cached.stored.activityHash !== run.activityHash) return render();
      cached.rendered ??= render();
      return cached.rendered as Rendered<Value>;
    },
  };
}

function idIn(target: Exclude<RunTarget, { readonly runId: string }>): string {
  return 'runTaskId' in target ? target.runTaskId : target.entryId;
}

/** The ids of the tasks and entries of a run. */
function partsOf({ tasks }: RunState): string[] {
  return tasks.flatMap(({ id, entries }) => [id, ...entries.map((entry) => entry.id)]);
}

/** The versions of the template whose documents a run refers to. */
function versionsOf({ templateVersionId, rulesVersionId, tasks, removedTasks }: RunState): Set<string> {
  const retired = [...tasks, ...removedTasks].map(({ retiredFromVersionId }) => retiredFromVersionId);
  return new Set([templateVersionId, rulesVersionId, ...retired].filter((id) => id !== null));
}

/** Estimates the bytes of a run with its rendered overview, and with the places of its parts in `runIds`. */
function sizeOf({ stored: { state } }: CachedRun): number {
  return 2_000 + sum([...state.tasks, ...state.removedTasks], sizeOfTask);
}

function sizeOfTask({ entries }: TaskState): number {
  return 1_200 + sum(entries, ({ values, setAside }) => 600 + sum([...values, ...setAside], sizeOfValue));
}

function sizeOfValue({ value }: { readonly value: unknown }): number {
  return 500 + 2 * (typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length);
}

function sum<Item>(items: readonly Item[], sizeOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}
