/** Runs, what happens in them, and how it is logged. */
export const runTables = `
create table runs (
  organization_id uuid,
  id uuid,
  public_id text not null,
  title text not null,
  status text not null check (status in ('RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED')),
  template_id uuid not null,
  template_version_id uuid not null,
  rules_version_id uuid,
  owner_user_id uuid not null,
  scheduled_date_local date not null,
  variables jsonb not null,
  rule_variables jsonb not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  cancelled_at timestamptz,
  archived_at timestamptz,
  first_overdue_at timestamptz,
  last_activity_at timestamptz not null,
  updated_at timestamptz not null,
  next_deadline_at timestamptz,
  activity_count int not null,
  activity_hash text not null,
  primary key (organization_id, id),
  constraint runs_public_id_key unique (organization_id, public_id),
  foreign key (organization_id, template_id) references templates,
  foreign key (organization_id, template_version_id) references template_versions,
  foreign key (organization_id, rules_version_id) references template_versions,
  foreign key (organization_id, owner_user_id) references users
);
create index runs_list_index on runs (organization_id, id) where archived_at is null;
create index runs_archived_index on runs (organization_id, id) where archived_at is not null;
create index runs_status_index on runs (organization_id, status, id) where archived_at is null;
create index runs_owner_index on runs (organization_id, owner_user_id, id) where archived_at is null;
create index runs_scheduled_index on runs (organization_id, scheduled_date_local, id) where archived_at is null;
create index runs_title_index on runs (organization_id, lower(title), id) where archived_at is null;
create index runs_template_index on runs (organization_id, template_id, status, id);
create index runs_updated_index on runs (organization_id, updated_at, id);
create index runs_next_deadline_index on runs (next_deadline_at) where next_deadline_at is not null;

create table run_counters (
  organization_id uuid,
  template_id uuid,
  status text check (status in ('RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED')),
  archived boolean,
  count int not null,
  task_count int not null,
  primary key (organization_id, template_id, status, archived),
  foreign key (organization_id, template_id) references templates
);

create table run_counter_changes (
  organization_id uuid references organizations,
  id uuid,
  template_id uuid not null,
  status text not null check (status in ('RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED')),
  archived boolean not null,
  change int not null,
  task_change int not null,
  primary key (organization_id, id)
);

create table run_tasks (
  organization_id uuid,
  id uuid,
  run_id uuid not null,
  template_id uuid not null,
  task_id uuid not null,
  position int not null,
  status text not null check (status in ('PENDING', 'BLOCKED', 'PENDING_APPROVAL', 'COMPLETED')),
  hidden boolean not null,
  done boolean not null,
  hidden_field_ids jsonb not null,
  force_unblocked boolean not null,
  approval jsonb,
  due_at timestamptz,
  due_at_has_time boolean not null,
  deadline_at timestamptz,
  overdue_signalled boolean not null,
  assignee_id uuid,
  assignee_group_id uuid,
  assigned_manually boolean not null,
  available_at timestamptz,
  completed_at timestamptz,
  completed_by_user_id uuid,
  retired_from_version_id uuid,
  removed_at timestamptz,
  listed boolean not null,
  primary key (organization_id, id),
  foreign key (organization_id, run_id) references runs,
  foreign key (organization_id, assignee_id) references users,
  foreign key (organization_id, assignee_group_id) references groups,
  foreign key (organization_id, completed_by_user_id) references users,
  foreign key (organization_id, retired_from_version_id) references template_versions
);
create index run_tasks_run_index on run_tasks (organization_id, run_id);
create index run_tasks_list_index on run_tasks (organization_id, template_id, status, deadline_at, id) where listed;
create index run_tasks_assignee_index on run_tasks (organization_id, assignee_id, listed, status, deadline_at, id)
  where assignee_id is not null;
create index run_tasks_assignee_group_index on run_tasks (organization_id, assignee_group_id, listed, status, deadline_at, id)
  where assignee_group_id is not null;

create table entries (
  organization_id uuid,
  id uuid,
  run_id uuid not null,
  run_task_id uuid not null,
  status text not null check (status in ('OPEN', 'COMPLETED')),
  created_by_user_id uuid not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  discarded_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, run_id) references runs,
  foreign key (organization_id, run_task_id) references run_tasks,
  foreign key (organization_id, created_by_user_id) references users
);
create index entries_run_index on entries (organization_id, run_id);

create table field_values (
  organization_id uuid,
  id uuid,
  run_id uuid not null,
  entry_id uuid not null,
  run_task_field_id uuid not null,
  field_type text not null check (field_type in (
    'TEXT', 'LONG_TEXT', 'NUMBER', 'EMAIL', 'URL', 'PHONE', 'CHECKBOX', 'DATE',
    'DATETIME', 'DROPDOWN', 'MULTI_SELECT', 'USER', 'FILE_UPLOAD', 'SIGNATURE', 'IMAGE', 'DATA_SOURCE'
  )),
  value jsonb not null,
  row_label text,
  filled_from uuid,
  submitted_by_user_id uuid not null,
  submitted_at timestamptz not null,
  primary key (organization_id, id),
  constraint field_values_field_key unique (organization_id, entry_id, run_task_field_id),
  foreign key (organization_id, run_id) references runs,
  foreign key (organization_id, entry_id) references entries,
  foreign key (organization_id, submitted_by_user_id) references users
);
create index field_values_run_index on field_values (organization_id, run_id);

create table entry_completion_keys (
  organization_id uuid,
  idempotency_key uuid,
  entry_id uuid not null,
  primary key (organization_id, idempotency_key),
  foreign key (organization_id, entry_id) references entries
);
create index entry_completion_keys_entry_index on entry_completion_keys (organization_id, entry_id);

create table activity (
  organization_id uuid,
  run_id uuid,
  sequence int,
  id uuid not null,
  type text not null,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('API_KEY', 'USER', 'SYSTEM')),
  actor_user_id uuid,
  actor_api_key_id uuid,
  data jsonb not null,
  hash text not null,
  primary key (organization_id, run_id, sequence),
  foreign key (organization_id, run_id) references runs,
  foreign key (organization_id, actor_user_id) references users,
  foreign key (organization_id, actor_api_key_id) references api_keys
);
create index activity_field_value_index on activity (organization_id, (data ->> 'fieldValueId'))
  where type = 'value.submitted';

create table saved_views (
  organization_id uuid,
  id uuid,
  name text not null,
  filters jsonb not null,
  visibility text not null check (visibility in ('PRIVATE', 'ORGANIZATION')),
  created_by_user_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, created_by_user_id) references users
);
`;
