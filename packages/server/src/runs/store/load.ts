import type { FieldValue, RunStatus, TaskStatus } from '@runward/contract';
import type { EntryState, ProcessDocument, RunState, TaskState, ValueState, VariableValue } from '@runward/engine';
import type { Subscriber } from '../../webhooks/events-of.ts';
import type { Em } from '../../database/database.ts';
import { loadDocument } from '../../templates/load-document.ts';
import { instant, instantOrNull } from '../../database/instant.ts';
import { statement } from '../../database/statement.ts';

/** How a caller names a run: itself, or something in it. */
export type RunTarget = { readonly runId: string } | { readonly runTaskId: string } | { readonly entryId: string };

/** A run as it stands, how many facts it consists of, and who listens to it. */
export interface LoadedRun {
  readonly organizationId: string;
  readonly timeZone: string;
  readonly state: RunState;
  /** The document of the version it was launched from. */
  readonly document: ProcessDocument;
  readonly activityCount: number;
  readonly subscribers: readonly Subscriber[];
}

/** Where the id of a run is found for what a caller named. */
const places = {
  runId: '$2',
  runTaskId: '(select run_id from run_tasks where organization_id = $1 and id = $2)',
  entryId: '(select run_id from entries where organization_id = $1 and id = $2)',
} as const;

type Place = keyof typeof places;

const perPlace = <Row>(text: (place: string) => string) => ({
  runId: statement<Row>(text(places.runId)),
  runTaskId: statement<Row>(text(places.runTaskId)),
  entryId: statement<Row>(text(places.entryId)),
});

const lock = perPlace<{ id: string }>(
  (place) => `select id from runs where organization_id = $1 and id = ${place} for update`,
);

const selectRun = (forms: string) => (place: string) =>
  `
  select run.id, run.public_id, run.title, run.status, run.template_id, run.template_version_id, run.owner_user_id,
    run.scheduled_date_local::text as scheduled_date_local, run.variables, run.created_at, run.completed_at,
    run.cancelled_at, run.archived_at, run.activity_count, organization.time_zone,
    (select json_agg(task order by task.position) from (
      select * from run_tasks where organization_id = run.organization_id and run_id = run.id) task) as tasks
    ${forms}
  from runs run join organizations organization on organization.id = run.organization_id
  where run.organization_id = $1 and run.id = ${place}`;

const selectOverview = perPlace<RunRow>(selectRun(''));

const selectWhole = perPlace<RunRow>(
  selectRun(`,
    (select json_agg(entry order by entry.created_at, entry.id) from (
      select *, (
        select json_agg(idempotency_key) from entry_completion_keys
        where organization_id = entries.organization_id and entry_id = entries.id) as completion_keys
      from entries where organization_id = run.organization_id and run_id = run.id) entry) as entries,
    (select json_agg(submitted order by submitted.submitted_at, submitted.id) from (
      select id, entry_id, run_task_field_id, value, submitted_by_user_id, submitted_at
      from field_values where organization_id = run.organization_id and run_id = run.id) submitted) as values,
    (select json_agg(json_build_object('id', id, 'events', enabled_events)) from webhooks
      where organization_id = run.organization_id and enabled
        and (template_mode = 'ALL_FLOWS' or run.template_id = any(template_ids))) as subscribers`),
);

/**
 * Locks the row of a run until the transaction ends, so that commands on one run come one after the other. Must be a statement of
 * its own before the run is read: a statement that waits for a lock reads everything else as it was before the wait.
 */
export async function lockRun(em: Em, organizationId: string, target: RunTarget): Promise<string | null> {
  const [place, id] = placeOf(target);
  const [row] = await lock[place](em, organizationId, id);
  return row?.id ?? null;
}

/** Reads a run with its tasks, and with `forms` also its entries and their values. Null outside the organization. */
export async function loadRun(
  em: Em,
  organizationId: string,
  target: RunTarget,
  { forms }: { forms: boolean },
): Promise<LoadedRun | null> {
  const [place, id] = placeOf(target);
  const [row] = await (forms ? selectWhole : selectOverview)[place](em, organizationId, id);
  if (!row) return null;
  const document = await loadDocument(em, organizationId, row.template_version_id);
  return {
    organizationId,
    timeZone: row.time_zone,
    state: stateOf(row, document),
    document,
    activityCount: row.activity_count,
    subscribers: row.subscribers ?? [],
  };
}

function placeOf(target: RunTarget): [Place, string] {
  if ('runId' in target) return ['runId', target.runId];
  return 'runTaskId' in target ? ['runTaskId', target.runTaskId] : ['entryId', target.entryId];
}

interface RunRow {
  id: string;
  public_id: string;
  title: string;
  status: RunStatus;
  template_id: string;
  template_version_id: string;
  owner_user_id: string;
  scheduled_date_local: string;
  variables: Record<string, VariableValue>;
  created_at: string;
  completed_at: string | null;
  cancelled_at: string | null;
  archived_at: string | null;
  activity_count: number;
  time_zone: string;
  tasks: TaskRow[] | null;
  entries?: EntryRow[] | null;
  values?: ValueRow[] | null;
  subscribers?: Subscriber[] | null;
}

interface TaskRow {
  id: string;
  task_id: string;
  status: TaskStatus;
  hidden: boolean;
  due_at: string | null;
  due_at_has_time: boolean;
  deadline_at: string | null;
  overdue_signalled: boolean;
  assignee_id: string | null;
  assignee_group_id: string | null;
  completed_at: string | null;
  completed_by_user_id: string | null;
}

interface EntryRow {
  id: string;
  run_task_id: string;
  status: 'OPEN' | 'COMPLETED';
  created_by_user_id: string;
  created_at: string;
  completed_at: string | null;
  completion_keys: string[] | null;
}

interface ValueRow {
  id: string;
  entry_id: string;
  run_task_field_id: string;
  value: FieldValue;
  submitted_by_user_id: string;
  submitted_at: string;
}

function stateOf(row: RunRow, document: ProcessDocument): RunState {
  const definitions = new Map(document.tasks.map((task) => [task.id, task]));
  const values = Map.groupBy(row.values ?? [], (value) => value.entry_id);
  const entries = Map.groupBy(row.entries ?? [], (entry) => entry.run_task_id);
  return {
    id: row.id,
    publicId: row.public_id,
    templateId: row.template_id,
    templateVersionId: row.template_version_id,
    title: row.title,
    status: row.status,
    ownerUserId: row.owner_user_id,
    scheduledDateLocal: row.scheduled_date_local,
    variables: row.variables,
    createdAt: instant(row.created_at),
    completedAt: instantOrNull(row.completed_at),
    cancelledAt: instantOrNull(row.cancelled_at),
    archivedAt: instantOrNull(row.archived_at),
    tasks: (row.tasks ?? []).map((task): TaskState => {
      const definition = definitions.get(task.task_id);
      if (!definition) throw new Error(`Run ${row.id} has a task that its template version does not know: ${task.id}.`);
      return {
        id: task.id,
        definition,
        status: task.status,
        hidden: task.hidden,
        dueAt: instantOrNull(task.due_at),
        dueAtHasTime: task.due_at_has_time,
        deadlineAt: instantOrNull(task.deadline_at),
        overdueSignalled: task.overdue_signalled,
        assigneeId: task.assignee_id,
        assigneeGroupId: task.assignee_group_id,
        completedAt: instantOrNull(task.completed_at),
        completedByUserId: task.completed_by_user_id,
        entries: (entries.get(task.id) ?? []).map((entry) => entryOf(entry, values.get(entry.id) ?? [])),
      };
    }),
  };
}

function entryOf(row: EntryRow, values: readonly ValueRow[]): EntryState {
  return {
    id: row.id,
    status: row.status,
    createdByUserId: row.created_by_user_id,
    createdAt: instant(row.created_at),
    completedAt: instantOrNull(row.completed_at),
    completionKeys: row.completion_keys ?? [],
    values: values.map((value): ValueState => ({
      id: value.id,
      fieldId: value.run_task_field_id,
      value: value.value,
      submittedByUserId: value.submitted_by_user_id,
      submittedAt: instant(value.submitted_at),
    })),
  };
}
