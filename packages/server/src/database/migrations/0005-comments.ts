/**
 * Comments on runs and tasks (decision 0076). Programs that do not know comments cannot read the facts about them, so
 * the migration is not compatible (decision 0069).
 */
export const comments = `
  create table run_comments (
    organization_id uuid,
    id uuid,
    run_id uuid not null,
    run_task_id uuid,
    actor_type text not null check (actor_type in ('API_KEY', 'USER', 'SYSTEM')),
    actor_user_id uuid,
    actor_api_key_id uuid,
    text text not null,
    user_ids jsonb not null,
    group_ids jsonb not null,
    created_at timestamptz not null,
    edited_at timestamptz,
    deleted_at timestamptz,
    primary key (organization_id, id),
    foreign key (organization_id, run_id) references runs,
    foreign key (organization_id, run_task_id) references run_tasks,
    foreign key (organization_id, actor_user_id) references users,
    foreign key (organization_id, actor_api_key_id) references api_keys
  );
  create index run_comments_run_index on run_comments (organization_id, run_id, id);
`;
