import { withRulesOf, type RunState } from '@runward/engine';
import { confirmed, type KeyCheck } from '../../access/key-check.ts';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { selectUsableKey } from '../../organization/queries/find-api-key.ts';
import { loadDocuments } from '../../templates/load-document.ts';
import { selectSubscribers, type Subscriber } from '../../webhooks/queries/select-subscribers.ts';
import type { ActivityHead } from '../activity-of.ts';
import { knownState, remember, type KnownState } from './known-states.ts';
import { referentsOf, selectReferents, type References, type Referents, type SelectedReferents } from './references.ts';
import { runTable, stateOf, stateTables, withRow, type RunRow, type StateRows } from './rows.ts';
import { columnsOf, fromJson, type Table } from './table.ts';
import { targetStatement, type RunTarget } from './target.ts';

/** A run as stored, with everything needed to change it. The number of its facts, `activityCount`, serves as its version. */
export interface LoadedRun extends ActivityHead {
  readonly organizationId: string;
  /** Of the organization. */
  readonly timeZone: string;
  readonly state: RunState;
  readonly lastActivityAt: string;
  readonly updatedAt: string;
  readonly subscribers: readonly Subscriber[];
  readonly template: RunTemplate;
  /** What exists of the references that it was read with. */
  readonly referents: Referents;
}

/** The template of a run. */
interface RunTemplate {
  readonly id: string;
  readonly folderId: string | null;
  readonly publishedVersionId: string | null;
  readonly isDeleted: boolean;
}

/** What is read together with runs. */
interface Along {
  /** Of the request. */
  readonly keyCheck?: KeyCheck;
  readonly references?: References | null;
}

/** One row of the statements below. A list is null if it is empty or known, and missing if it is not selected. */
type Selected = { readonly [Name in keyof StateRows]?: StateRows[Name] | null } & {
  readonly run: RunRow;
  readonly timeZone: string;
  readonly template: RunTemplate;
  readonly subscribers?: readonly Subscriber[] | null;
  readonly usableKey?: string | null;
  readonly referents?: SelectedReferents;
};

/** SQL for the rows of a table that belong to a run, as a JSON array; null if `$4`, the hash of the known state, is that of the run. */
function rowsOf<Row>(table: Table<Row>, order: string, ofRun = 'part.run_id = run.id'): string {
  return `case when run."activityHash" is distinct from known.hash then (
    select json_agg(part ${order}) from (
      select ${columnsOf(table, 'part')} from ${table.name} part
      where part.organization_id = run."organizationId" and ${ofRun}) part) end`;
}

/** Bounds the memory and the size of the statements that several runs take. */
const batchSize = 500;

const parts = {
  tasks: rowsOf(stateTables.tasks, 'order by part.position'),
  entries: rowsOf(
    stateTables.entries,
    'order by part."createdAt", part.id',
    'part.run_id = run.id and part.discarded_at is null',
  ),
  values: rowsOf(stateTables.values, 'order by part."submittedAt", part.id'),
  completionKeys: rowsOf(
    stateTables.completionKeys,
    '',
    'part.entry_id in (select id from entries where organization_id = run."organizationId" and run_id = run.id)',
  ),
  subscribers: selectSubscribers('run."organizationId"', 'run."templateId"'),
  usableKey: selectUsableKey('$3'),
  referents: selectReferents({ userIds: '$5', groupIds: '$6', rowIds: '$7' }),
} as const;

const select = (condition: string, ...names: (keyof typeof parts)[]) => `
  select to_json(run) as run, organization.time_zone as "timeZone",
    json_build_object('id', template.id, 'folderId', template.folder_id, 'publishedVersionId', template.published_version_id,
      'isDeleted', template.deleted_at is not null) as template
    ${names.map((name) => `, ${parts[name]} as "${name}"`).join('')}
  from (select ${columnsOf(runTable, 'run')} from runs run where organization_id = $1 and id ${condition}) run
  join organizations organization on organization.id = run."organizationId"
  join templates template on template.organization_id = run."organizationId" and template.id = run."templateId"
  cross join (select $4::text as hash) known`;

const whole = ['tasks', 'entries', 'values', 'completionKeys', 'subscribers', 'usableKey'] as const;
const selectOverview = targetStatement<Selected>((condition) => select(condition, 'tasks', 'usableKey'));
const selectWhole = targetStatement<Selected>((condition) => select(condition, ...whole));
const selectReferring = targetStatement<Selected>((condition) => select(condition, ...whole, 'referents'));

const selectSeveral = (condition: string) =>
  statement<Selected>(select(condition, 'tasks', 'subscribers', 'usableKey', 'referents'));
const selectRuns = selectSeveral('= any($2)');
const selectRunsOfTasks = selectSeveral(
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
  { forms, keyCheck = confirmed, references }: Along & { readonly forms: boolean },
): Promise<LoadedRun | null> {
  const known = knownState(target, forms);
  const request = [keyCheck.hash, known?.activityHash ?? null] as const;
  const [selected] = references
    ? await selectReferring(em, organizationId, target, ...request, ...listsOf(references))
    : await (forms ? selectWhole : selectOverview)(em, organizationId, target, ...request);
  if (!selected) return null;
  keyCheck.confirm(selected.usableKey ?? null);
  const run = await loaded(em, selected, known);
  if (run.activityHash !== known?.activityHash) remember(run.state, run, { forms, target });
  return run;
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
    yield await loadBatch(em, selectRuns, organizationId, runIds.slice(start, start + batchSize), along);
  }
}

/** Reads the runs that have these tasks in the same way, at once. */
export async function loadRunsOfTasks(
  em: Em,
  organizationId: string,
  runTaskIds: readonly string[],
  along: Along,
): Promise<LoadedRun[]> {
  return loadBatch(em, selectRunsOfTasks, organizationId, runTaskIds, along);
}

async function loadBatch(
  em: Em,
  statement: typeof selectRuns,
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

async function loaded(em: Em, selected: Selected, known?: KnownState): Promise<LoadedRun> {
  const run = fromJson(runTable, selected.run);
  const { organizationId, activityCount, activityHash, lastActivityAt, updatedAt } = run;
  const state = known?.activityHash === activityHash ? withRow(run, known) : await readState(em, run, selected);
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

async function readState(em: Em, run: RunRow, selected: Selected): Promise<RunState> {
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
