import { withRulesOf, type RunState } from '@runward/engine';
import { confirmed, type KeyCheck } from '../../access/key-check.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { loadDocuments } from '../../templates/load-document.ts';
import type { Subscriber } from '../../webhooks/queries/select-subscribers.ts';
import { knownRun, remember, type StoredRun } from './known-runs.ts';
import { readKnownRun } from './load-together.ts';
import { referentsOf, type References, type Referents } from './references.ts';
import { runTable, stateOf, stateTables, type RunRow } from './rows.ts';
import { overview, selectRuns, whole, type RunTemplate, type SelectedRun } from './select-run.ts';
import { fromJson, type Table } from './table.ts';
import { targetStatement, type RunTarget } from './target.ts';

/** A run as stored, with everything needed to change it. The number of its facts, `activityCount`, serves as its version. */
export interface LoadedRun extends StoredRun {
  /** Of the organization. */
  readonly timeZone: string;
  readonly subscribers: readonly Subscriber[];
  readonly template: RunTemplate;
  /** What exists of the references that it was read with. */
  readonly referents: Referents;
}

/** What is read together with runs. */
interface Along {
  /** Of the request. */
  readonly keyCheck?: KeyCheck;
  readonly references?: References | null;
}

/** Bounds the memory and the size of the statements that several runs take. */
const batchSize = 500;

const selectOverview = targetStatement<SelectedRun>((condition) => selectRuns(condition, overview));
const selectWhole = targetStatement<SelectedRun>((condition) => selectRuns(condition, whole));
const selectReferring = targetStatement<SelectedRun>((condition) => selectRuns(condition, [...whole, 'referents']));

const selectSeveral = (condition: string) =>
  statement<SelectedRun>(selectRuns(condition, ['tasks', 'subscribers', 'usableKey', 'referents']));
const selectByRun = selectSeveral('= any($2)');
const selectByTask = selectSeveral(
  'in (select run_id from run_tasks where organization_id = $1 and id = any($2) and removed_at is null)',
);

/**
 * Reads a run with its tasks, and with `forms` also what is needed to change it: entries, values, subscribers and what the command refers
 * to. Returns null if the organization has no such run. Otherwise confirms the key of a request.
 */
export async function loadRun(
  em: Em,
  organizationId: string,
  target: RunTarget,
  { forms, keyCheck = confirmed, references = null }: Along & { readonly forms: boolean },
): Promise<LoadedRun | null> {
  const known = knownRun(organizationId, target, forms);
  const selected =
    known && !references && !em.isInTransaction()
      ? await readKnownRun(em, { organizationId, keyHash: keyCheck.hash, known }, { forms })
      : await readRun(em, organizationId, target, { forms, keyHash: keyCheck.hash, references, known });
  if (!selected) return null;
  keyCheck.confirm(selected.usableKey ?? null);
  const run = await loaded(em, selected, known);
  if (selected.run) remember(run, { forms, target });
  return isIn(run.state, target) ? run : null;
}

async function readRun(
  em: Em,
  organizationId: string,
  target: RunTarget,
  {
    forms,
    keyHash,
    references,
    known,
  }: {
    readonly forms: boolean;
    readonly references: References | null;
    readonly keyHash: Buffer | null;
    readonly known: StoredRun | undefined;
  },
): Promise<SelectedRun | undefined> {
  const request = [keyHash, known?.activityHash ?? null] as const;
  const [selected] = references
    ? await selectReferring(em, organizationId, target, ...request, ...listsOf(references))
    : await (forms ? selectWhole : selectOverview)(em, organizationId, target, ...request);
  return selected;
}

/** Whether a run still has the task or the entry that it was known by. */
function isIn({ id, tasks }: RunState, target: RunTarget): boolean {
  if ('runId' in target) return id === target.runId;
  if ('runTaskId' in target) return tasks.some(({ id }) => id === target.runTaskId);
  return tasks.some(({ entries }) => entries.some(({ id }) => id === target.entryId));
}

/**
 * Reads several runs in batches of one statement each, without their entries: for commands that depend on the tasks alone. Runs that the
 * organization does not have are left out. Confirms the key of a request if there is one.
 */
export async function* loadRuns(
  em: Em,
  organizationId: string,
  runIds: readonly string[],
  along: Along = {},
): AsyncGenerator<LoadedRun[]> {
  for (let start = 0; start < runIds.length; start += batchSize) {
    yield await loadBatch(em, selectByRun, organizationId, runIds.slice(start, start + batchSize), along);
  }
}

/** Reads the runs that have these tasks in the same way, at once. */
export async function loadRunsOfTasks(
  em: Em,
  organizationId: string,
  runTaskIds: readonly string[],
  along: Along,
): Promise<LoadedRun[]> {
  return loadBatch(em, selectByTask, organizationId, runTaskIds, along);
}

async function loadBatch(
  em: Em,
  statement: typeof selectByRun,
  organizationId: string,
  ids: readonly string[],
  { keyCheck = confirmed, references }: Along,
): Promise<LoadedRun[]> {
  const batch: LoadedRun[] = [];
  for (const selected of await statement(em, organizationId, ids, keyCheck.hash, null, ...listsOf(references))) {
    keyCheck.confirm(selected.usableKey ?? null);
    batch.push(await loaded(em, selected));
  }
  return batch;
}

function listsOf(references: References | null | undefined): (readonly string[])[] {
  const { userIds = [], groupIds = [], rowIds = [] } = references ?? {};
  return [userIds, groupIds, rowIds];
}

async function loaded(em: Em, selected: SelectedRun, known?: StoredRun): Promise<LoadedRun> {
  const stored = selected.run ? await readStored(em, selected.run, selected) : known;
  if (!stored) throw new Error(`Run ${selected.runId} was read without its row.`);
  const { organizationId, state, activityCount, activityHash, lastActivityAt, updatedAt } = stored;
  return {
    organizationId,
    timeZone: selected.timeZone,
    state,
    activityCount,
    activityHash,
    lastActivityAt,
    updatedAt,
    subscribers: selected.subscribers ?? [],
    template: selected.template,
    referents: referentsOf(selected.referents),
  };
}

async function readStored(em: Em, row: RunRow, selected: SelectedRun): Promise<StoredRun> {
  const run = fromJson(runTable, row);
  const { organizationId, activityCount, activityHash, lastActivityAt, updatedAt } = run;
  const state = await readState(em, run, selected);
  return { organizationId, state, activityCount, activityHash, lastActivityAt, updatedAt };
}

async function readState(em: Em, run: RunRow, selected: SelectedRun): Promise<RunState> {
  const rows = {
    tasks: listOf(stateTables.tasks, selected.tasks),
    entries: listOf(stateTables.entries, selected.entries),
    values: listOf(stateTables.values, selected.values),
    completionKeys: listOf(stateTables.completionKeys, selected.completionKeys),
  };
  const documents = await loadDocuments(em, run.organizationId, [
    run.templateVersionId,
    ...(run.rulesVersionId === null ? [] : [run.rulesVersionId]),
    ...rows.tasks.flatMap(({ retiredFromVersionId }) => retiredFromVersionId ?? []),
  ]);
  const own = documents(run.templateVersionId);
  const document = run.rulesVersionId === null ? own : withRulesOf(own, documents(run.rulesVersionId)).document;
  return stateOf(run, rows, document, documents);
}

function listOf<Row>(table: Table<Row>, list: readonly Row[] | null | undefined): readonly Row[] {
  return (list ?? []).map((row) => fromJson(table, row));
}
