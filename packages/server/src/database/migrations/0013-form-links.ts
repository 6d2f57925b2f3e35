/** Links with which people without an account fill in a form (decision 0084). */
export const formLinks = `
  create table form_links (
    organization_id uuid references organizations,
    id uuid,
    run_task_id uuid not null,
    user_id uuid not null,
    token_hash bytea not null,
    created_by_user_id uuid not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    last_used_at timestamptz,
    primary key (organization_id, id),
    constraint form_links_token_hash_key unique (token_hash),
    foreign key (organization_id, run_task_id) references run_tasks on delete cascade,
    foreign key (organization_id, user_id) references users,
    foreign key (organization_id, created_by_user_id) references users
  );
  create index form_links_task_index on form_links (organization_id, run_task_id, id);

  alter table sessions add column form_link_id uuid;
  alter table sessions add foreign key (organization_id, form_link_id) references form_links on delete cascade;
`;
