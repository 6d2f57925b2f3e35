/**
 * Who has yet to decide on tasks, from what the rows of runs say (decision 0071). Programs that do not know the table
 * would not keep it up to date, so the migration is not compatible (decision 0069).
 */
export const taskApprovers = `
  create table task_approvers (
    organization_id uuid,
    run_task_id uuid,
    approver_id uuid,
    template_id uuid not null,
    status text not null check (status in ('PENDING', 'BLOCKED', 'PENDING_APPROVAL', 'COMPLETED')),
    deadline_at timestamptz,
    excluded_user_ids jsonb not null,
    primary key (organization_id, run_task_id, approver_id),
    foreign key (organization_id, run_task_id) references run_tasks
  );
  create index task_approvers_list_index on task_approvers (organization_id, approver_id, status, deadline_at, run_task_id);
  create index group_members_user_index on group_members (organization_id, user_id, group_id);

  with approvers as materialized (
    select task.organization_id, task.id, approver.id::uuid, task.template_id, task.status, task.deadline_at, excluded.ids
    from run_tasks task
    join runs run on run.organization_id = task.organization_id and run.id = task.run_id
    join template_versions version on version.organization_id = run.organization_id and version.id = run.template_version_id
    cross join lateral (
      select definition -> 'approval' as approval, definition -> 'fields' as fields from jsonb_array_elements(version.document -> 'tasks') definition
      where definition ->> 'id' = task.task_id::text and definition -> 'approval' <> 'null') wanted
    cross join lateral (
      select coalesce(jsonb_agg(worker.id), '[]') as ids from (
        select decision ->> 'userId' as id from jsonb_array_elements(task.approval -> 'decisions') decision
        union
        select entry.created_by_user_id::text from entries entry
        where entry.organization_id = task.organization_id and entry.id = (task.approval ->> 'entryId')::uuid
          and not (wanted.approval ->> 'allowSelfApproval')::boolean
        union
        select value.submitted_by_user_id::text from field_values value
        where value.organization_id = task.organization_id and value.entry_id = (task.approval ->> 'entryId')::uuid
          and not (wanted.approval ->> 'allowSelfApproval')::boolean
          and wanted.fields @> jsonb_build_array(jsonb_build_object('id', value.run_task_field_id))) worker) excluded
    cross join lateral (
      select named.id from jsonb_array_elements_text(wanted.approval -> 'approverIds') named (id) where not excluded.ids @> to_jsonb(named.id)
      union
      select named.id from jsonb_array_elements_text(wanted.approval -> 'approverGroupIds') named (id)
      where not exists (select 1 from jsonb_array_elements(task.approval -> 'decisions') decision
        where decision -> 'groupIds' @> to_jsonb(named.id))
      union
      select task.organization_id::text
      where wanted.approval -> 'approverIds' = '[]' and wanted.approval -> 'approverGroupIds' = '[]') approver
    where task.listed and task.status <> 'COMPLETED' and task.approval ->> 'status' = 'REQUESTED')
  insert into task_approvers select * from approvers;
`;
