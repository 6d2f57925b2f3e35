/** A text as long as the hash of a line of activity. */
const hash = `repeat('0', 64)`;

/** A run with its tasks: $1 organization, $2 run. */
export const get = `
  select to_json(run) as response from (
    select id, public_id as "publicId", title, status, template_id as "templateId", template_version_id as "templateVersionId",
      owner_user_id as "ownerUserId", created_at as "createdAt", scheduled_date_local as "scheduledDateLocal",
      completed_at as "completedAt", cancelled_at as "cancelledAt", archived_at as "archivedAt", (
        select json_agg(task order by task.position) from (
          select id as "runTaskId", task_id as "taskId", position, status, hidden, due_at as "dueAt", due_at_has_time as "dueAtHasTime",
            assignee_id as "assigneeId", assignee_group_id as "assigneeGroupId", completed_at as "completedAt",
            completed_by_user_id as "completedByUserId"
          from run_tasks where organization_id = runs.organization_id and run_id = runs.id) task) as tasks
    from runs where organization_id = $1 and id = $2) run`;

/**
 * A page of runs, with one extra row, and the total from the counters: $1 organization. The limit is part of the text;
 * as a parameter, it would cause planning at every execution.
 */
export const list = (limit: number, order: string): string =>
  page(
    `select sum(count) from (
      select count from run_counters where organization_id = $1 and not archived
      union all
      select change from run_counter_changes where organization_id = $1 and not archived) counter`,
    'archived_at is null',
    order,
    limit,
  );

/** A page of the runs that meet a condition, with one extra row, and their number: $1 organization. */
export const filteredList = (limit: number, where: string, order: string): string => {
  const condition = where.includes('archived_at') ? where : `archived_at is null and ${where}`;
  return page(`select count(*) from runs where organization_id = $1 and ${condition}`, condition, order, limit);
};

const page = (total: string, where: string, order: string, limit: number): string => `
  select json_build_object('total', (${total}), 'data', (
    select json_agg(page) from (
      select id, public_id as "publicId", title, status, template_id as "templateId", owner_user_id as "ownerUserId",
        scheduled_date_local as "scheduledDateLocal", created_at as "createdAt", completed_at as "completedAt"
      from runs where organization_id = $1 and ${where} order by ${order} limit ${limit}) page)) as response`;

/** The oldest events: $1 organization. */
export const feed = (limit: number): string => `
  select json_build_object('data', (
    select json_agg(body) from (select body from events where organization_id = $1 order by id limit ${limit}) event)) as response`;

/**
 * Inserts a run with its tasks, its first activity, an event, a delivery and a counter change: $1 run, $2 organization,
 * $3 public id, $4 template, $5 version, $6 user, $7 now, $8 run tasks, $9 tasks, $10 activity, $11 key, $12 data of
 * the activity, $13 delivery, $14 webhook, $15 body.
 */
export const launch = `
  with tasks as (
    insert into run_tasks (organization_id, id, run_id, template_id, task_id, position, status, hidden, done, hidden_field_ids,
        force_unblocked, assigned_manually, due_at_has_time, overdue_signalled, listed)
    select $2::uuid, id, $1::uuid, $4::uuid, task_id, position - 1, 'PENDING', false, false, '[]', false, false, false, false, true
    from unnest($8::uuid[], $9::uuid[]) with ordinality task (id, task_id, position)
  ), fact as (
    insert into activity (organization_id, run_id, sequence, id, type, at, actor_type, actor_user_id, actor_api_key_id, data, hash, ends_change)
    values ($2, $1, 1, $10, 'run.started', $7, 'API_KEY', $6, $11, $12, ${hash}, true)
  ), event as (
    insert into events (id, organization_id, run_id, template_id, sequence, event, body, created_at)
    values ($13, $2, $1, $4, 1, 'run.started', $15, $7)
  ), delivery as (
    insert into webhook_deliveries (webhook_id, id, record_id, organization_id, event, status, next_attempt_at, created_at)
    values ($14, $13, $13, $2, 'run.started', 'PENDING', $7, $7)
  ), counter as (
    insert into run_counter_changes (organization_id, id, template_id, status, archived, change, task_change)
    values ($2, $10, $4, 'RUNNING', false, 1, cardinality($8::uuid[]))
  )
  insert into runs (id, organization_id, public_id, title, status, template_id, template_version_id, owner_user_id,
    scheduled_date_local, variables, rule_variables, created_at, last_activity_at, updated_at, activity_count, activity_hash)
  values ($1, $2, $3, 'Benchmark', 'RUNNING', $4, $5, $6, current_date, '{}', '{}', $7, $7, $7, 1, ${hash})
  returning id, public_id as "publicId", title, status, template_id as "templateId", template_version_id as "templateVersionId",
    owner_user_id as "ownerUserId", created_at as "createdAt"`;

/** Opens the form of a task: $1 entry, $2 run task, $3 activity, $4 now, $5 user, $6 key, $7 organization. */
export const open = `
  with entry as (
    insert into entries (organization_id, id, run_id, run_task_id, status, created_by_user_id, created_at)
    select organization_id, $1, run_id, id, 'OPEN', $5, $4 from run_tasks where organization_id = $7 and id = $2
    returning id, run_id, run_task_id as "runTaskId", status, created_by_user_id as "createdByUserId", created_at as "createdAt"
  ), run as (
    update runs set last_activity_at = $4, updated_at = $4, activity_count = activity_count + 1
    from entry where runs.organization_id = $7 and runs.id = entry.run_id returning runs.id, activity_count
  ), fact as (
    insert into activity (organization_id, run_id, sequence, id, type, at, actor_type, actor_user_id, actor_api_key_id, data, hash, ends_change)
    select $7::uuid, id, activity_count, $3, 'entry.opened', $4, 'API_KEY', $5, $6,
      jsonb_build_object('runTaskId', $2::uuid, 'entryId', $1::uuid, 'userId', $5::uuid), ${hash}, true from run
  )
  select * from entry`;

/**
 * Adds a value to an open form: $1 value, $2 entry, $3 field, $4 JSON, $5 activity, $6 now, $7 user, $8 key, $9
 * organization.
 */
export const submit = `
  with entry as (
    select id, run_id, run_task_id from entries where organization_id = $9 and id = $2
  ), value as (
    insert into field_values (organization_id, id, run_id, entry_id, run_task_field_id, field_type, value, submitted_by_user_id, submitted_at)
    select $9, $1, run_id, id, $3, 'TEXT', $4, $7, $6 from entry
    on conflict (organization_id, run_id, entry_id, run_task_field_id) do update
      set value = excluded.value, submitted_by_user_id = excluded.submitted_by_user_id, submitted_at = excluded.submitted_at
    returning id
  ), run as (
    update runs set last_activity_at = $6, updated_at = $6, activity_count = activity_count + 1
    from entry where runs.organization_id = $9 and runs.id = entry.run_id
    returning runs.id, activity_count, entry.run_task_id
  )
  insert into activity (organization_id, run_id, sequence, id, type, at, actor_type, actor_user_id, actor_api_key_id, data, hash, ends_change)
  select $9::uuid, run.id, activity_count, $5, 'value.submitted', $6, 'API_KEY', $7, $8,
    jsonb_build_object('runTaskId', run_task_id, 'entryId', $2::uuid, 'fieldValueId', value.id, 'fieldId', $3::uuid,
      'value', $4::jsonb, 'userId', $7::uuid), ${hash}, true from run, value`;

/**
 * Completes a form and its task, with two activity lines, an event and a delivery: $1 entry, $2 and $3 activity, $4
 * delivery, $5 now, $6 user, $7 key, $8 organization, $9 webhook.
 */
export const complete = `
  with entry as (
    update entries set status = 'COMPLETED', completed_at = $5 where organization_id = $8 and id = $1
    returning run_id, run_task_id
  ), task as (
    update run_tasks set status = 'COMPLETED', completed_at = $5, completed_by_user_id = $6
    from entry where run_tasks.organization_id = $8 and run_tasks.id = entry.run_task_id
    returning run_tasks.id, task_id
  ), run as (
    update runs set last_activity_at = $5, updated_at = $5, activity_count = activity_count + 2
    from entry where runs.organization_id = $8 and runs.id = entry.run_id returning runs.id, template_id, activity_count
  ), fact as (
    insert into activity (organization_id, run_id, sequence, id, type, at, actor_type, actor_user_id, actor_api_key_id, data, hash, ends_change)
    select $8::uuid, run.id, activity_count - 1, $2::uuid, 'entry.completed', $5::timestamptz, 'API_KEY', $6::uuid, $7::uuid,
      jsonb_build_object('runTaskId', task.id, 'entryId', $1::uuid, 'idempotencyKey', null), ${hash}, false from run, task
    union all
    select $8, run.id, activity_count, $3, 'task.completed', $5, 'API_KEY', $6, $7,
      jsonb_build_object('runTaskId', task.id, 'userId', $6::uuid, 'directly', false), ${hash}, true from run, task
  ), event as (
    insert into events (id, organization_id, run_id, template_id, sequence, event, body, created_at)
    select $4, $8, run.id, template_id, activity_count, 'task.completed', json_build_object('event', 'task.completed', 'deliveryId', $4::uuid,
        'timestamp', $5::timestamptz, 'orgId', $8::uuid, 'data', json_build_object('runId', run.id, 'templateId', template_id,
          'runTaskId', task.id, 'taskId', task_id, 'sequence', activity_count)), $5
    from run, task returning id
  )
  insert into webhook_deliveries (webhook_id, id, record_id, organization_id, event, status, next_attempt_at, created_at)
  select $9, id, id, $8, 'task.completed', 'PENDING', $5, $5 from event`;
