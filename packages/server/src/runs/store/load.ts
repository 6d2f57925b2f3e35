import { withRulesOf, type RunState } from '@runward/engine';
import type { DeadlineSettings } from '../../calendar.ts';
import { batch } from '../../database/batch.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { fillBatch, loadDefinitions, loadDocument } from '../../templates/load-document.ts';
import type { Subscriber } from '../../webhooks/queries/select-subscribers.ts';
import { referentsOf, type References, type Referents } from './references.ts';
import { runTable, stateOf, stateTables, type RunRow } from './rows.ts';
import { runCache, type StoredRun } from './run-cache.ts';
import {
  overview,
  selectEachRun,
  selectRuns,
  whole,
  type RunTemplate,
  type SelectedRun,
  type Wanted,
} from './select-run.ts';
import { fromJson, type Table } from './table.ts';
import { targetStatement, type RunTarget } from './target.ts';

/** A stored run, with everything needed to change it. The number of its facts, `activityCount`, is its version. */
export interface LoadedRun extends StoredRun, DeadlineSettings {
  readonly subscribers: readonly Subscriber[];
  readonly template: RunTemplate;
  /** The existing records among the references that it was read with. */
  readonly referents: Referents;
}

/** The records that a command refers to are read with the run. */
interface ReadOptions {
  readonly references?: References | null;
}

/** Limits what one statement reads of several runs. Each has up to 500 tasks, besides those that migrations removed. */
const runsPerStatement = 40;

const selectOverview = targetStatement<SelectedRun>((condition) => selectRuns(condition, overview));
const selectWhole = targetStatement<SelectedRun>((condition) => selectRuns(condition, whole));
const selectReferring = targetStatement<SelectedRun>((condition) => selectRuns(condition, [...whole, 'referents']));

const selectSeveral = statement<SelectedRun>(selectRuns('= any($2)', ['tasks', 'subscribers', 'referents']));

/**
 * Reads a run with its tasks. With `forms`, also reads what is needed to change it: entries, values, subscribers and
 * the records that the command refers to. Returns null if the organization has no such run.
 */
export async function loadRun(
  em: Em,
  organizationId: string,
  target: RunTarget,
  { forms, references = null }: ReadOptions & { readonly forms: boolean },
): Promise<LoadedRun | null> {
  const cache = em.shared(runCache);
  const cached = cache.find(organizationId, target, forms);
  const selected =
    cached && !references && !em.isInTransaction()
      ? await em.shared(forms ? cachedWhole : cachedOverview)({ em, cached })
      : await readRun(em, organizationId, target, { forms, references, cached });
  if (!selected) return null;
  const run = await loaded(em, selected, cached);
  if (selected.run) cache.keep(storedPart(run), { forms });
  return isIn(run.state, target) ? run : null;
}

async function readRun(
  em: Em,
  organizationId: string,
  target: RunTarget,
  { forms, references, cached }: ReadOptions & { readonly forms: boolean; readonly cached: StoredRun | undefined },
): Promise<SelectedRun | undefined> {
  const knownHash = cached?.activityHash ?? null;
  const [selected] = references
    ? await selectReferring(em, organizationId, target, knownHash, ...listsOf(references))
    : await (forms ? selectWhole : selectOverview)(em, organizationId, target, knownHash);
  return selected;
}

const cachedOverview = () => batchOfCached(overview);
const cachedWhole = () => batchOfCached(whole);

/**
 * Reads cached runs, together with those that other requests read at the same time. The result for a run is undefined
 * if the organization does not have it. Little is read of each run, because most have not changed, so no request waits
 * for the large run of another.
 */
function batchOfCached(parts: typeof whole) {
  const select = statement<SelectedRun & { readonly place: number }>(selectEachRun(parts));
  return batch<{ readonly em: Em; readonly cached: StoredRun }, SelectedRun | undefined>(
    async (calls) => {
      const wanted = calls.map(({ cached: { organizationId, state, activityHash: knownHash } }, place): Wanted => {
        return { place, organizationId, id: state.id, knownHash };
      });
      const rows = calls[0] ? await select(calls[0].em, JSON.stringify(wanted)) : [];
      const found = new Map(rows.map((row) => [row.place, row]));
      return calls.map(({ cached }, place) => ensureWanted(cached, found.get(place)));
    },
    { atATime: 2, most: 50, retriesAlone: () => true },
  );
}

/** A request must never get the run of another request, whatever goes wrong above. */
function ensureWanted({ organizationId, state: { id } }: StoredRun, selected: SelectedRun | undefined) {
  if (selected && (selected.organizationId !== organizationId || selected.runId !== id)) {
    throw new Error(`Run ${id} was requested, but run ${selected.runId} was read.`);
  }
  return selected;
}

/** Whether a run still has the task or the entry that identified it. */
function isIn({ id, tasks }: RunState, target: RunTarget): boolean {
  if ('runId' in target) return id === target.runId;
  if ('runTaskId' in target) return tasks.some(({ id }) => id === target.runTaskId);
  return tasks.some(({ entries }) => entries.some(({ id }) => id === target.entryId));
}

/**
 * Reads several runs in batches that fit in memory, without their entries, for commands that depend on the tasks alone.
 * Omits runs that the organization does not have.
 */
export async function* loadRuns(
  em: Em,
  organizationId: string,
  runIds: readonly string[],
  { references }: ReadOptions = {},
): AsyncGenerator<LoadedRun[]> {
  for (let start = 0; start < runIds.length; start += runsPerStatement) {
    const ids = runIds.slice(start, start + runsPerStatement);
    let batch: LoadedRun[] = [];
    let isFull = fillBatch();
    for (const selected of await selectSeveral(em, organizationId, ids, null, ...listsOf(references))) {
      const run = await loaded(em, selected);
      batch.push(run);
      if (!isFull(run.state.document)) continue;
      yield batch;
      batch = [];
      isFull = fillBatch();
    }
    if (batch.length > 0) yield batch;
  }
}

function listsOf(references: References | null | undefined): (readonly string[])[] {
  const { userIds = [], groupIds = [], rowIds = [] } = references ?? {};
  return [userIds, groupIds, rowIds];
}

async function loaded(em: Em, selected: SelectedRun, cached?: StoredRun): Promise<LoadedRun> {
  const stored = selected.run ? await readStored(em, selected.run, selected) : cached;
  if (!stored) throw new Error(`Run ${selected.runId} was read without its row.`);
  return {
    ...stored,
    timeZone: selected.timeZone,
    remindBefore: selected.remindBefore,
    subscribers: selected.subscribers ?? [],
    template: selected.template,
    referents: referentsOf(selected.referents),
  };
}

async function readStored(em: Em, row: RunRow, selected: SelectedRun): Promise<StoredRun> {
  const run = fromJson(runTable, row);
  return storedPart({ ...run, state: await readState(em, run, selected) });
}

/** The part of a run that the cache keeps, without what was read with it. */
function storedPart(run: StoredRun): StoredRun {
  const { organizationId, state, activityCount, activityHash, lastActivityAt, updatedAt } = run;
  return { organizationId, state, activityCount, activityHash, lastActivityAt, updatedAt };
}

async function readState(em: Em, run: RunRow, selected: SelectedRun): Promise<RunState> {
  const rows = {
    tasks: listOf(stateTables.tasks, selected.tasks),
    entries: listOf(stateTables.entries, selected.entries),
    values: listOf(stateTables.values, selected.values),
    completionKeys: listOf(stateTables.completionKeys, selected.completionKeys),
  };
  const { organizationId, templateVersionId, rulesVersionId } = run;
  const own = await loadDocument(em, organizationId, templateVersionId);
  const document =
    rulesVersionId === null ? own : withRulesOf(own, await loadDocument(em, organizationId, rulesVersionId)).document;
  const left = rows.tasks.flatMap(({ id, taskId, retiredFromVersionId: versionId }) =>
    versionId === null ? [] : { id, taskId, versionId },
  );
  return stateOf(run, rows, document, await loadDefinitions(em, organizationId, left));
}

function listOf<Row>(table: Table<Row>, list: readonly Row[] | null | undefined): readonly Row[] {
  return (list ?? []).map((row) => fromJson(table, row));
}
