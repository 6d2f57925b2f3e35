import { Migration } from '@mikro-orm/migrations';

/** Organizations with their people and keys, templates, runs with all that happens in them, webhooks and their deliveries. */
export class Migration0001Foundation extends Migration {
  override up(): void {
    this.addSql(`
      create table organizations (
        id uuid primary key,
        name text not null,
        plan text not null check (plan in ('FREE', 'PRO', 'BUSINESS', 'ENTERPRISE')),
        time_zone text not null,
        signing_secret text not null,
        created_at timestamptz not null
      );

      create table users (
        id uuid primary key,
        organization_id uuid not null references organizations,
        email text not null,
        name text not null,
        role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER')),
        status text not null check (status in ('ACTIVE', 'DEACTIVATED')),
        password_hash text not null,
        created_at timestamptz not null
      );
      create unique index users_email_key on users (lower(email));
      create index users_organization_index on users (organization_id, name, id);

      create table groups (
        id uuid primary key,
        organization_id uuid not null references organizations,
        name text not null,
        created_at timestamptz not null
      );
      create index groups_organization_index on groups (organization_id, name, id);

      create table group_members (
        group_id uuid not null references groups on delete cascade,
        user_id uuid not null references users on delete cascade,
        primary key (group_id, user_id)
      );

      create table folders (
        id uuid primary key,
        organization_id uuid not null references organizations,
        name text not null,
        created_at timestamptz not null
      );
      create index folders_organization_index on folders (organization_id, name, id);

      create table api_keys (
        id uuid primary key,
        organization_id uuid not null references organizations,
        name text not null,
        key_hash bytea not null,
        key_suffix text not null,
        scopes text[] not null,
        resource_mode text not null check (resource_mode in ('ALL', 'SELECTED_TEMPLATES', 'SELECTED_FOLDERS')),
        scoped_template_ids uuid[] not null,
        scoped_folder_ids uuid[] not null,
        created_by_user_id uuid not null references users,
        expires_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz not null
      );
      create unique index api_keys_key_hash_key on api_keys (key_hash);
      create index api_keys_organization_index on api_keys (organization_id, id desc);
    `);

    this.addSql(`
      create table templates (
        id uuid primary key,
        organization_id uuid not null references organizations,
        folder_id uuid references folders,
        name text not null,
        description text,
        run_title_pattern text,
        draft jsonb not null,
        has_unpublished_changes boolean not null,
        published_version_id uuid,
        archived_at timestamptz,
        deleted_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index templates_organization_index on templates (organization_id, id desc) where deleted_at is null;
      create index templates_folder_index on templates (folder_id) where deleted_at is null;

      create table template_versions (
        id uuid primary key,
        organization_id uuid not null references organizations,
        template_id uuid not null references templates,
        number int not null,
        note text,
        document jsonb not null,
        published_by_user_id uuid not null references users,
        published_at timestamptz not null
      );
      create unique index template_versions_number_key on template_versions (template_id, number);
      alter table templates add foreign key (published_version_id) references template_versions;
    `);

    this.addSql(`
      create table runs (
        id uuid primary key,
        organization_id uuid not null references organizations,
        public_id text not null,
        title text not null,
        status text not null check (status in ('RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED')),
        template_id uuid not null references templates,
        template_version_id uuid not null references template_versions,
        owner_user_id uuid not null references users,
        scheduled_date_local date not null,
        variables jsonb not null,
        created_at timestamptz not null,
        completed_at timestamptz,
        cancelled_at timestamptz,
        archived_at timestamptz,
        last_activity_at timestamptz not null,
        next_deadline_at timestamptz,
        activity_count int not null
      );
      create unique index runs_public_id_key on runs (organization_id, public_id);
      create index runs_list_index on runs (organization_id, id desc) where archived_at is null;
      create index runs_status_index on runs (organization_id, status, id desc) where archived_at is null;
      create index runs_template_index on runs (template_id, status, id desc);
      create index runs_next_deadline_index on runs (next_deadline_at) where next_deadline_at is not null;

      create table run_tasks (
        id uuid primary key,
        run_id uuid not null references runs,
        task_id uuid not null,
        position int not null,
        status text not null check (status in ('PENDING', 'BLOCKED', 'PENDING_APPROVAL', 'COMPLETED')),
        hidden boolean not null,
        due_at timestamptz,
        due_at_has_time boolean not null,
        deadline_at timestamptz,
        overdue_signalled boolean not null,
        assignee_id uuid references users,
        assignee_group_id uuid references groups,
        completed_at timestamptz,
        completed_by_user_id uuid references users
      );
      create index run_tasks_run_index on run_tasks (run_id);
      create index run_tasks_assignee_index on run_tasks (assignee_id) where assignee_id is not null;
      create index run_tasks_assignee_group_index on run_tasks (assignee_group_id) where assignee_group_id is not null;

      create table entries (
        id uuid primary key,
        run_id uuid not null references runs,
        run_task_id uuid not null references run_tasks,
        status text not null check (status in ('OPEN', 'COMPLETED')),
        created_by_user_id uuid not null references users,
        created_at timestamptz not null,
        completed_at timestamptz
      );
      create index entries_run_index on entries (run_id);

      create table entry_completion_keys (
        organization_id uuid not null references organizations,
        idempotency_key uuid not null,
        entry_id uuid not null references entries,
        primary key (organization_id, idempotency_key)
      );
      create index entry_completion_keys_entry_index on entry_completion_keys (entry_id);

      create table field_values (
        id uuid primary key,
        run_id uuid not null references runs,
        entry_id uuid not null references entries,
        run_task_field_id uuid not null,
        value jsonb not null,
        submitted_by_user_id uuid not null references users,
        submitted_at timestamptz not null
      );
      create unique index field_values_field_key on field_values (entry_id, run_task_field_id);
      create index field_values_run_index on field_values (run_id);

      create table activity (
        run_id uuid not null references runs,
        sequence int not null,
        id uuid not null,
        type text not null,
        at timestamptz not null,
        actor_type text not null check (actor_type in ('API_KEY', 'USER', 'SYSTEM')),
        actor_user_id uuid references users,
        actor_api_key_id uuid references api_keys,
        data jsonb not null,
        primary key (run_id, sequence)
      );
      create index activity_field_value_index on activity ((data ->> 'fieldValueId')) where type = 'value.submitted';
    `);

    this.addSql(`
      create table webhooks (
        id uuid primary key,
        organization_id uuid not null references organizations,
        name text not null,
        url text not null,
        enabled_events text[] not null,
        enabled boolean not null,
        disabled_reason text,
        disabled_at timestamptz,
        failing_since timestamptz,
        template_mode text not null check (template_mode in ('ALL_FLOWS', 'SELECTED_TEMPLATES')),
        template_ids uuid[] not null,
        description text,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index webhooks_organization_index on webhooks (organization_id, id desc);

      create table webhook_deliveries (
        id uuid primary key,
        organization_id uuid not null references organizations,
        webhook_id uuid not null references webhooks on delete cascade,
        event text not null,
        status text not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
        body text not null,
        is_test boolean not null default false,
        attempts jsonb not null default '[]',
        next_attempt_at timestamptz,
        lease_token uuid,
        created_at timestamptz not null
      );
      create index webhook_deliveries_due_index on webhook_deliveries (webhook_id, next_attempt_at) where status = 'PENDING';
      create index webhook_deliveries_test_index on webhook_deliveries (webhook_id) where status = 'PENDING' and is_test;
      create index webhook_deliveries_lease_index on webhook_deliveries (webhook_id) where lease_token is not null;
      create index webhook_deliveries_webhook_index on webhook_deliveries (webhook_id, id desc);
      create index webhook_deliveries_organization_index on webhook_deliveries (organization_id, id desc);
    `);
  }

  override down(): void {
    throw new Error('Going back before the first version is not possible; restore a backup instead.');
  }
}
