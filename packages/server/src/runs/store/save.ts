import { lastWorkAt, type Fact, type RunState } from '@runward/engine';
import type { Author } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';
import { isRetryable } from '../../database/errors.ts';
import { expectsOne, runStatement } from '../../database/statement.ts';
import type { NewEvent } from '../../webhooks/events-of.ts';
import type { NewActivity } from '../change/activity-of.ts';
import { appendRows } from './append-rows.ts';
import { counterChangeRows, counterChangeTable } from './counter-changes.ts';
import { relistTasks } from './relist-tasks.ts';
import { computesEndOfDay, requiredRows } from './required-rows.ts';
import { rowsToWrite, runRow, runTable, stateTables, type RunRow } from './rows.ts';
import type { StoredRun } from './run-cache.ts';
import { recordOf } from './table.ts';
import { writeApprovers } from './write-approvers.ts';
import { writeComments } from './write-comments.ts';
import { writeSearchable } from './write-searchable.ts';
import {
  assignments,
  insert,
  namesOf,
  recordset,
  valuesOf,
  withParts,
  write,
  type Parameter,
  type Part,
} from './write.ts';

/** What commands have changed in a run. */
export interface RunChange {
  /** The state before the facts; null for a launch. */
  readonly before: RunState | null;
  /** The state after the facts. */
  readonly after: RunState;
  readonly facts: readonly Fact[];
  /** What the facts add to the activity log. */
  readonly activity: NewActivity;
  /** The number of facts before the change, which is the version of the run that the commands were decided on. */
  readonly activityCount: number;
  /** When the run was last worked on before the change. */
  readonly lastActivityAt: string;
  /** Groups that the commands refer to. */
  readonly groupIds: readonly string[];
  /** Active members to whom the commands assign tasks. */
  readonly assigneeIds: readonly string[];
  readonly events: readonly NewEvent[];
  /** The published version of the template, which says by which values the run is found. */
  readonly publishedVersionId: string | null;
}

/** The organization of the changed runs, and who changed them. */
export interface ChangeContext {
  readonly organizationId: string;
  /** The time zone that the deadlines were computed in. */
  readonly timeZone: string;
  readonly author: Author;
}

/**
 * Saves launches. Does not save a launch if the template was published, archived or deleted since it was read, or if
 * the time zone of its deadlines has changed. Then returns false, and the caller must roll back the others.
 */
export async function saveLaunches(em: Em, context: ChangeContext, launches: readonly RunChange[]): Promise<boolean> {
  return (await save(em, context, launches, insertRuns)) === launches.length;
}

/**
 * Saves changes of runs, all or none. Returns false, and saves nothing, if something has changed since it was read: a
 * run, or what the facts rely on, which is the time zone of new deadlines, a group, or the template of a reopened run.
 */
export async function saveChanges(em: Em, context: ChangeContext, changes: readonly RunChange[]): Promise<boolean> {
  return (await save(em, context, changes, updateRuns)) === changes.length;
}

/**
 * Writes rows, activity log, outbox and changes of counters in one statement and returns the number of runs written.
 * Returns 0 if PostgreSQL rolled the statement back because of others, as in a deadlock, so that the caller decides
 * again on the current state. All parts depend on `saved`, the rows of these runs. The text depends on which tables are
 * written, and not on the data, so that it can be prepared.
 */
async function save(
  em: Em,
  context: ChangeContext,
  changes: readonly RunChange[],
  writeRuns: typeof updateRuns,
): Promise<number> {
  const parameters: unknown[] = [];
  const $: Parameter = (value) => `$${parameters.push(value)}`;
  const rows = rowsToWrite(context.organizationId, changes);
  const parts: (Part | string)[] = [
    ...writeRuns($, context, changes),
    ...write($, stateTables.tasks, rows.tasks),
    ...relistTasks($, changes, rows.tasks.update?.map(({ id }) => id) ?? []),
    ...writeApprovers($, context.organizationId, changes),
    ...write($, stateTables.entries, rows.entries),
    ...write($, stateTables.values, rows.values),
    ...write($, stateTables.completionKeys, rows.completionKeys),
    ...writeComments($, context, changes),
    ...(await writeSearchable($, em, context.organizationId, changes)),
    ...appendRows($, context, changes),
    ...insert($, counterChangeTable, counterChangeRows(context.organizationId, changes)),
  ];
  const text = `${withParts(parts)} select count(*)::int as count from saved`;
  try {
    const [result] = await runStatement<{ count: number }>(em, text, parameters);
    return result?.count ?? 0;
  } catch (error) {
    // Without a transaction, only the statement was rolled back. A transaction must be repeated as a whole.
    if (isRetryable(error) && !em.isInTransaction()) return 0;
    throw error;
  }
}

/**
 * The lock keeps the template from being deleted by a transaction that cannot see the run yet. If the end of a day was
 * computed, a second lock keeps the time zone from being changed. Other launches do not have to wait for changes of the
 * organization, its members and its keys.
 */
function insertRuns($: Parameter, context: ChangeContext, changes: readonly RunChange[]): Part[] {
  const usesTimeZone = changes.some(({ facts }) => facts.some(computesEndOfDay));
  const organization = `join organizations organization on organization.id = template.organization_id`;
  const guard = usesTimeZone ? `${organization} and organization.time_zone = ${$(context.timeZone)}` : '';
  const ids = [...new Set(changes.map(({ after }) => after.templateId))].map($);
  const locked = `
    select template.id, template.published_version_id from templates template ${guard}
    where template.organization_id = ${$(context.organizationId)} and template.id in (${ids.join(', ')})
      and template.deleted_at is null and template.archived_at is null
    for key share of template ${usesTimeZone ? 'for share of organization' : ''}`;
  const inserted = saved(`
    insert into ${runTable.name} (${namesOf(runTable.columns)})
    select ${valuesOf(runTable.columns)} from ${recordset($, runTable, rowsOf(context, changes))} new
    join template on template.id = new.template_id and template.published_version_id = new.template_version_id
    returning organization_id, id`);
  return [{ name: 'template', sql: locked }, ...inserted];
}

const saved = (sql: string): Part[] => [{ name: 'saved', sql }];

/**
 * Several runs are locked before the first is written. Therefore either all are written or none. A run that another
 * transaction has locked counts as changed, so that the others do not wait for it.
 */
function updateRuns($: Parameter, context: ChangeContext, changes: readonly RunChange[]): Part[] {
  const { version, row } = changedRuns($, context, changes);
  const isUnchanged = `run.organization_id = ${$(context.organizationId)} and run.id = change.id and run.activity_count = change.version`;
  const reliedOn = requiredRows($, context, changes);
  const update = (from: readonly string[], condition: string) =>
    saved(`
    update ${runTable.name} run set ${assignments(runTable)} from ${[version, row, ...from].join(', ')}
    where ${isUnchanged} ${condition}
    returning run.organization_id, run.id`);
  if (changes.length === 1) return update(reliedOn, '');
  const locked = `
      select run.id from ${[`${runTable.name} run`, version, ...reliedOn].join(', ')}
      where ${isUnchanged} for no key update of run skip locked`;
  return update([], `and (select count(*) from (${locked}) locked) = ${$(changes.length)}`);
}

/**
 * SQL for the versions that changes were decided on as `change`, and for the rows of the runs as `new`. PostgreSQL
 * takes the values of a single run from parameters. Several runs have version and row in one record, because PostgreSQL
 * would scan one set again for each record of the other.
 */
function changedRuns($: Parameter, context: ChangeContext, changes: readonly RunChange[]) {
  const [first, ...others] = changes;
  if (first && others.length === 0) {
    return {
      version: `(select ${$(first.after.id)}::uuid as id, ${$(first.activityCount)}::int as version) change`,
      row: `${recordset($, runTable, rowsOf(context, changes))} new`,
    };
  }
  const records = changes.map((change) => ({
    id: change.after.id,
    version: change.activityCount,
    row: recordOf(runTable, rowOf(context, change)),
  }));
  return {
    version: `(
      select * from json_to_recordset(${$(JSON.stringify(records))}) change (id uuid, version int, "row" json)
      where ${expectsOne('version')}) change`,
    row: `json_populate_record(null::${runTable.name}, change."row") new`,
  };
}

function rowsOf(context: ChangeContext, changes: readonly RunChange[]): RunRow[] {
  return changes.map((change) => rowOf(context, change));
}

function rowOf(context: ChangeContext, change: RunChange): RunRow {
  const { state, ...rest } = storedRun(context, change);
  return runRow(state, rest);
}

/**
 * A run as its change saves it. What the service does by itself, or what only follows from the time, does not count as
 * activity, so that a neglected run stays stalled.
 */
export function storedRun(
  { organizationId, author }: Pick<ChangeContext, 'organizationId' | 'author'>,
  { after, facts, activity, lastActivityAt }: RunChange,
): StoredRun {
  return {
    organizationId,
    state: after,
    ...activity.head,
    lastActivityAt: (author.type === 'SYSTEM' ? null : lastWorkAt(facts)) ?? lastActivityAt,
    updatedAt: facts.at(-1)?.at ?? after.createdAt,
  };
}
