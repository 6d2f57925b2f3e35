import { nextDeadline, type EntryState, type Fact, type RunState, type TaskState } from '@runward/engine';
import type { Author } from '../../access/actor.ts';
import type { NewEvent } from '../../webhooks/events-of.ts';
import { newId } from '../../ids.ts';
import type { Em } from '../../database/database.ts';
import { runStatement } from '../../database/statement.ts';

/** What a command changed: the run before (null for a launch) and after, the facts between, and what follows from them. */
export interface RunChange {
  readonly organizationId: string;
  /** In which the deadlines were reckoned. */
  readonly timeZone: string;
  readonly before: RunState | null;
  readonly after: RunState;
  readonly facts: readonly Fact[];
  readonly author: Author;
  /** How many facts the run had before: its version. */
  readonly activityCount: number;
  readonly events: readonly NewEvent[];
}

/** Puts a value among the parameters of the statement and answers its place, like `$7`. */
type Parameter = (value: unknown) => string;

/**
 * Writes a change in one statement: the rows that differ, the activity log, and the outbox; all of it or nothing. Every part hangs on
 * `this_run`, which is empty where the run has changed since it was read, or the template of a launch is no longer what it was. Then
 * the answer is false and nothing was written. What did not change is recognized by being the same object.
 */
export async function saveRun(em: Em, change: RunChange): Promise<boolean> {
  const { before, after, facts, events } = change;
  const tasks = changed(before?.tasks ?? [], after.tasks);
  const entriesBefore = new Set(before?.tasks.flatMap((task) => task.entries));
  const entries = tasks.flatMap((task) =>
    task.entries.filter((entry) => !entriesBefore.has(entry)).map((entry) => ({ task, entry })),
  );

  const parameters: unknown[] = [];
  const $: Parameter = (value) => `$${parameters.push(value)}`;
  const parts = [
    before ? updateRun($, change, tasks) : insertRun($, change),
    ...(tasks.length > 0 ? [before ? updateTasks($, tasks) : insertTasks($, tasks)] : []),
    ...(entries.length > 0 ? [upsertEntries($, entries)] : []),
    ...upsertValues($, facts),
    ...insertCompletionKeys($, facts),
    insertActivity($, change),
    ...insertEvents($, change),
    ...insertDeliveries($, events),
  ];
  const named = parts.map((part, index) => `${index === 0 ? 'this_run' : `part_${index}`} as (${part})`);
  const rows = await runStatement(em, `with ${named.join(', ')} select id from this_run`, parameters);
  return rows.length > 0;
}

function changed(before: readonly TaskState[], after: readonly TaskState[]): TaskState[] {
  const known = new Set(before);
  return after.filter((task) => !known.has(task));
}

/**
 * The locks keep the template from being deleted before the run is there to prevent it, and the time zone from being changed without
 * finding the deadlines of this run.
 */
function insertRun($: Parameter, { organizationId, timeZone, after: run, facts }: RunChange): string {
  return `
    insert into runs (organization_id, id, public_id, title, status, template_id, template_version_id, owner_user_id,
      scheduled_date_local, variables, created_at, last_activity_at, next_deadline_at, activity_count)
    select template.organization_id, ${$(run.id)}, ${$(run.publicId)}, ${$(run.title)}, ${$(run.status)}, template.id,
      template.published_version_id, ${$(run.ownerUserId)}, ${$(run.scheduledDateLocal)}, ${$(JSON.stringify(run.variables))},
      ${$(run.createdAt)}, ${$(run.createdAt)}, ${$(nextDeadline(run))}, ${$(facts.length)}
    from (
      select template.id, organization_id, published_version_id
      from templates template join organizations organization on organization.id = template.organization_id
      where template.id = ${$(run.templateId)} and organization_id = ${$(organizationId)} and deleted_at is null
        and archived_at is null and published_version_id = ${$(run.templateVersionId)} and time_zone = ${$(timeZone)}
      for key share of template for share of organization) template
    returning organization_id, id`;
}

/** Where a day's end was reckoned, the lock keeps the time zone from being changed without finding it. */
function updateRun($: Parameter, change: RunChange, tasks: readonly TaskState[]): string {
  const { organizationId, timeZone, before, after: run, facts, activityCount } = change;
  const known = new Map(before?.tasks.map(({ id, deadlineAt }) => [id, deadlineAt]));
  const reckons = tasks.some(({ id, dueAtHasTime, deadlineAt }) => !dueAtHasTime && deadlineAt !== known.get(id));
  const inZone = () => `
    from (select id from organizations where id = ${$(organizationId)} and time_zone = ${$(timeZone)} for share) organization
    where organization_id = organization.id`;
  return `
    update runs set title = ${$(run.title)}, status = ${$(run.status)}, completed_at = ${$(run.completedAt)},
      cancelled_at = ${$(run.cancelledAt)}, archived_at = ${$(run.archivedAt)}, last_activity_at = ${$(facts.at(-1)?.at)},
      next_deadline_at = ${$(nextDeadline(run))}, activity_count = activity_count + ${$(facts.length)}
    ${reckons ? inZone() : `where organization_id = ${$(organizationId)}`}
      and runs.id = ${$(run.id)} and activity_count = ${$(activityCount)}
    returning runs.organization_id, runs.id`;
}

function insertTasks($: Parameter, tasks: readonly TaskState[]): string {
  const rows = tasks.map((task, position) => ({ ...taskColumns(task), task_id: task.definition.id, position }));
  return `
    insert into run_tasks (organization_id, id, run_id, task_id, position, status, hidden, due_at, due_at_has_time,
      deadline_at, overdue_signalled, assignee_id, assignee_group_id, completed_at, completed_by_user_id)
    select this_run.organization_id, new.id, this_run.id, task_id, position, status, hidden, due_at, due_at_has_time,
      deadline_at, overdue_signalled, assignee_id, assignee_group_id, completed_at, completed_by_user_id
    from this_run, ${recordset($, 'run_tasks', rows)} new`;
}

function updateTasks($: Parameter, tasks: readonly TaskState[]): string {
  return `
    update run_tasks task set status = new.status, hidden = new.hidden, due_at = new.due_at,
      due_at_has_time = new.due_at_has_time, deadline_at = new.deadline_at, overdue_signalled = new.overdue_signalled,
      assignee_id = new.assignee_id, assignee_group_id = new.assignee_group_id, completed_at = new.completed_at,
      completed_by_user_id = new.completed_by_user_id
    from this_run, ${recordset($, 'run_tasks', tasks.map(taskColumns))} new
    where task.organization_id = this_run.organization_id and task.run_id = this_run.id and task.id = new.id`;
}

function taskColumns(task: TaskState) {
  return {
    id: task.id,
    status: task.status,
    hidden: task.hidden,
    due_at: task.dueAt,
    due_at_has_time: task.dueAtHasTime,
    deadline_at: task.deadlineAt,
    overdue_signalled: task.overdueSignalled,
    assignee_id: task.assigneeId,
    assignee_group_id: task.assigneeGroupId,
    completed_at: task.completedAt,
    completed_by_user_id: task.completedByUserId,
  };
}

function upsertEntries($: Parameter, entries: readonly { task: TaskState; entry: EntryState }[]): string {
  const rows = entries.map(({ task, entry }) => ({
    id: entry.id,
    run_task_id: task.id,
    status: entry.status,
    created_by_user_id: entry.createdByUserId,
    created_at: entry.createdAt,
    completed_at: entry.completedAt,
  }));
  return `
    insert into entries (organization_id, id, run_id, run_task_id, status, created_by_user_id, created_at, completed_at)
    select this_run.organization_id, new.id, this_run.id, run_task_id, status, created_by_user_id, created_at, completed_at
    from this_run, ${recordset($, 'entries', rows)} new
    on conflict (organization_id, id) do update set status = excluded.status, completed_at = excluded.completed_at`;
}

function upsertValues($: Parameter, facts: readonly Fact[]): string[] {
  const submitted = facts.filter((fact) => fact.type === 'value.submitted');
  if (submitted.length === 0) return [];
  // The last one counts where a command names a field twice; a statement may touch a row only once.
  const latest = new Map(submitted.map((fact) => [fact.fieldValueId, fact]));
  const rows = [...latest.values()].map((fact) => ({
    id: fact.fieldValueId,
    entry_id: fact.entryId,
    run_task_field_id: fact.fieldId,
    value: fact.value,
    submitted_by_user_id: fact.userId,
    submitted_at: fact.at,
  }));
  // In a record set a JSON null becomes SQL null; a cleared value is the JSON one.
  return [
    `
    insert into field_values (organization_id, id, run_id, entry_id, run_task_field_id, value, submitted_by_user_id, submitted_at)
    select this_run.organization_id, new.id, this_run.id, entry_id, run_task_field_id, coalesce(value, 'null'),
      submitted_by_user_id, submitted_at
    from this_run, ${recordset($, 'field_values', rows)} new
    on conflict (organization_id, id) do update
      set value = excluded.value, submitted_by_user_id = excluded.submitted_by_user_id, submitted_at = excluded.submitted_at`,
  ];
}

function insertCompletionKeys($: Parameter, facts: readonly Fact[]): string[] {
  const rows = facts.flatMap((fact) =>
    fact.type === 'entry.completed' && fact.idempotencyKey !== null
      ? [{ entry_id: fact.entryId, idempotency_key: fact.idempotencyKey }]
      : [],
  );
  if (rows.length === 0) return [];
  return [
    `
    insert into entry_completion_keys (organization_id, idempotency_key, entry_id)
    select this_run.organization_id, idempotency_key, entry_id
    from this_run, ${recordset($, 'entry_completion_keys', rows)} new`,
  ];
}

function insertActivity($: Parameter, { facts, author, activityCount }: RunChange): string {
  const rows = facts.map(({ type, at, ...data }, index) => ({
    sequence: activityCount + index + 1,
    id: newId(),
    type,
    at,
    data,
  }));
  return `
    insert into activity (organization_id, run_id, sequence, id, type, at, actor_type, actor_user_id, actor_api_key_id, data)
    select this_run.organization_id, this_run.id, sequence, new.id, type, at, ${$(author.type)}, ${$(author.userId)},
      ${$(author.apiKeyId)}, data
    from this_run, ${recordset($, 'activity', rows)} new`;
}

function insertEvents($: Parameter, { after: run, events }: RunChange): string[] {
  if (events.length === 0) return [];
  const rows = events.map(({ id, sequence, event, body, createdAt }) => ({
    id,
    sequence,
    event,
    body,
    created_at: createdAt,
  }));
  return [
    `
    insert into events (organization_id, id, run_id, template_id, sequence, event, body, created_at)
    select this_run.organization_id, new.id, this_run.id, ${$(run.templateId)}, sequence, event, body, created_at
    from this_run, ${recordset($, 'events', rows)} new`,
  ];
}

/** A webhook may have been deleted since the run was read; then nobody is told. */
function insertDeliveries($: Parameter, events: readonly NewEvent[]): string[] {
  const rows = events.flatMap(({ id, event, createdAt, webhookIds }) =>
    webhookIds.map((webhookId) => ({ id, webhook_id: webhookId, event, created_at: createdAt })),
  );
  if (rows.length === 0) return [];
  return [
    `
    insert into webhook_deliveries (organization_id, webhook_id, id, event, status, next_attempt_at, created_at)
    select organization_id, webhook_id, id, event, 'PENDING', now(), created_at from (
      select new.id, webhook.organization_id, webhook_id, new.event, new.created_at
      from this_run cross join ${recordset($, 'webhook_deliveries', rows)} new
      join webhooks webhook on webhook.organization_id = this_run.organization_id and webhook.id = new.webhook_id
      for key share of webhook) new`,
  ];
}

/** Rows as a table with the column types of an existing one; columns left out are null. */
function recordset($: Parameter, table: string, rows: readonly object[]): string {
  return `json_populate_recordset(null::${table}, ${$(JSON.stringify(rows))})`;
}
