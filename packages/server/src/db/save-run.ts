import { nextDeadline, type EntryState, type Fact, type RunState, type TaskState } from '@runward/engine';
import { sql, type RawBuilder } from 'kysely';
import type { Author } from '../access/actor.ts';
import type { NewDelivery } from '../events/deliveries.ts';
import { newId } from '../ids.ts';
import type { Em } from './database.ts';

/** What a command changed: the run before (null for a launch) and after, the facts between, and what follows from them. */
export interface RunChange {
  readonly organizationId: string;
  readonly before: RunState | null;
  readonly after: RunState;
  readonly facts: readonly Fact[];
  readonly author: Author;
  /** How many facts the run had before. */
  readonly activityCount: number;
  readonly deliveries: readonly NewDelivery[];
}

/**
 * Writes a change in one statement: the rows that differ, the activity log, and the outbox. The caller holds the lock of the run.
 * What did not change is recognized by being the same object.
 */
export async function saveRun(em: Em, change: RunChange): Promise<void> {
  const { before, after } = change;
  const tasks = changed(before?.tasks ?? [], after.tasks);
  const entriesBefore = new Set(before?.tasks.flatMap((task) => task.entries));
  const entries = tasks.flatMap((task) =>
    task.entries.filter((entry) => !entriesBefore.has(entry)).map((entry) => ({ task, entry })),
  );

  const parts = [
    before ? updateRun(change) : insertRun(change),
    tasks.length > 0 && (before ? updateTasks(tasks) : insertTasks(after, tasks)),
    entries.length > 0 && upsertEntries(after.id, entries),
    upsertValues(after.id, change.facts),
    insertCompletionKeys(change),
    insertActivity(change),
    insertDeliveries(change),
  ].filter((part) => part !== false && part !== null);
  const named = parts.map((part, index) => sql`${sql.ref(`part_${index}`)} as (${part})`);
  await sql`with ${sql.join(named)} select 1`.execute(em.getKysely());
}

function changed(before: readonly TaskState[], after: readonly TaskState[]): TaskState[] {
  const known = new Set(before);
  return after.filter((task) => !known.has(task));
}

function insertRun({ organizationId, after: run, facts }: RunChange) {
  return sql`
    insert into runs (id, organization_id, public_id, title, status, template_id, template_version_id, owner_user_id,
      scheduled_date_local, variables, created_at, last_activity_at, next_deadline_at, activity_count)
    values (${run.id}, ${organizationId}, ${run.publicId}, ${run.title}, ${run.status}, ${run.templateId},
      ${run.templateVersionId}, ${run.ownerUserId}, ${run.scheduledDateLocal}, ${JSON.stringify(run.variables)},
      ${run.createdAt}, ${run.createdAt}, ${nextDeadline(run)}, ${facts.length})`;
}

function updateRun({ organizationId, after: run, facts, activityCount }: RunChange) {
  return sql`
    update runs set title = ${run.title}, status = ${run.status}, completed_at = ${run.completedAt},
      cancelled_at = ${run.cancelledAt}, archived_at = ${run.archivedAt}, last_activity_at = ${facts.at(-1)?.at},
      next_deadline_at = ${nextDeadline(run)}, activity_count = ${activityCount + facts.length}
    where id = ${run.id} and organization_id = ${organizationId}`;
}

function insertTasks(run: RunState, tasks: readonly TaskState[]) {
  const rows = tasks.map((task, position) => ({ ...taskColumns(task), task_id: task.definition.id, position }));
  return sql`
    insert into run_tasks (id, run_id, task_id, position, status, hidden, due_at, due_at_has_time, deadline_at,
      overdue_signalled, assignee_id, assignee_group_id, completed_at, completed_by_user_id)
    select id, ${run.id}, task_id, position, status, hidden, due_at, due_at_has_time, deadline_at,
      overdue_signalled, assignee_id, assignee_group_id, completed_at, completed_by_user_id
    from ${recordset('run_tasks', rows)}`;
}

function updateTasks(tasks: readonly TaskState[]) {
  return sql`
    update run_tasks task set status = new.status, hidden = new.hidden, due_at = new.due_at,
      due_at_has_time = new.due_at_has_time, deadline_at = new.deadline_at, overdue_signalled = new.overdue_signalled,
      assignee_id = new.assignee_id, assignee_group_id = new.assignee_group_id, completed_at = new.completed_at,
      completed_by_user_id = new.completed_by_user_id
    from ${recordset('run_tasks', tasks.map(taskColumns))} new where task.id = new.id`;
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

function upsertEntries(runId: string, entries: readonly { task: TaskState; entry: EntryState }[]) {
  const rows = entries.map(({ task, entry }) => ({
    id: entry.id,
    run_task_id: task.id,
    status: entry.status,
    created_by_user_id: entry.createdByUserId,
    created_at: entry.createdAt,
    completed_at: entry.completedAt,
  }));
  return sql`
    insert into entries (id, run_id, run_task_id, status, created_by_user_id, created_at, completed_at)
    select id, ${runId}, run_task_id, status, created_by_user_id, created_at, completed_at
    from ${recordset('entries', rows)}
    on conflict (id) do update set status = excluded.status, completed_at = excluded.completed_at`;
}

function upsertValues(runId: string, facts: readonly Fact[]) {
  const submitted = facts.filter((fact) => fact.type === 'value.submitted');
  if (submitted.length === 0) return null;
  const rows = submitted.map((fact) => ({
    id: fact.fieldValueId,
    entry_id: fact.entryId,
    run_task_field_id: fact.fieldId,
    value: fact.value,
    submitted_by_user_id: fact.userId,
    submitted_at: fact.at,
  }));
  // In a record set a JSON null becomes SQL null; a cleared value is the JSON one.
  return sql`
    insert into field_values (id, run_id, entry_id, run_task_field_id, value, submitted_by_user_id, submitted_at)
    select id, ${runId}, entry_id, run_task_field_id, coalesce(value, 'null'), submitted_by_user_id, submitted_at
    from ${recordset('field_values', rows)}
    on conflict (id) do update
      set value = excluded.value, submitted_by_user_id = excluded.submitted_by_user_id, submitted_at = excluded.submitted_at`;
}

function insertCompletionKeys({ organizationId, facts }: RunChange) {
  const keyed = facts.filter((fact) => fact.type === 'entry.completed' && fact.idempotencyKey !== null);
  if (keyed.length === 0) return null;
  const rows = keyed.map((fact) =>
    fact.type === 'entry.completed' ? { entry_id: fact.entryId, idempotency_key: fact.idempotencyKey } : {},
  );
  return sql`
    insert into entry_completion_keys (organization_id, idempotency_key, entry_id)
    select ${organizationId}, idempotency_key, entry_id from ${recordset('entry_completion_keys', rows)}`;
}

function insertActivity({ after, facts, author, activityCount }: RunChange) {
  if (facts.length === 0) return null;
  const rows = facts.map(({ type, at, ...data }, index) => ({
    sequence: activityCount + index + 1,
    id: newId(),
    type,
    at,
    data,
  }));
  return sql`
    insert into activity (run_id, sequence, id, type, at, actor_type, actor_user_id, actor_api_key_id, data)
    select ${after.id}, sequence, id, type, at, ${author.type}, ${author.userId}, ${author.apiKeyId}, data
    from ${recordset('activity', rows)}`;
}

function insertDeliveries({ organizationId, deliveries }: RunChange) {
  if (deliveries.length === 0) return null;
  const rows = deliveries.map(({ id, webhookId, event, body, createdAt }) => ({
    id,
    webhook_id: webhookId,
    event,
    body,
    created_at: createdAt,
  }));
  return sql`
    insert into webhook_deliveries (id, organization_id, webhook_id, event, status, body, next_attempt_at, created_at)
    select id, ${organizationId}, webhook_id, event, 'PENDING', body, now(), created_at
    from ${recordset('webhook_deliveries', rows)}`;
}

/** Rows as a table with the column types of an existing one; columns left out are null. */
function recordset(table: string, rows: readonly object[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)})`;
}
