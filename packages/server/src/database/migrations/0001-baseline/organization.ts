/** Organizations, their members, and how callers authenticate. */
export const organizationTables = `
create table organizations (
  id uuid primary key,
  name text not null,
  plan text not null check (plan in ('FREE', 'PRO', 'BUSINESS', 'ENTERPRISE')),
  time_zone text not null,
  signing_secret text not null,
  previous_signing_secret text,
  previous_signing_secret_expires_at timestamptz,
  created_at timestamptz not null
);

create table users (
  organization_id uuid references organizations,
  id uuid,
  email text not null constraint users_email_key unique check (email = lower(email)),
  name text not null,
  role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER')),
  status text not null check (status in ('ACTIVE', 'DEACTIVATED')),
  password_hash text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index users_name_index on users (organization_id, name, id);

create table groups (
  organization_id uuid references organizations,
  id uuid,
  name text not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (organization_id, id)
);
create index groups_name_index on groups (organization_id, name, id);

create table group_members (
  organization_id uuid,
  group_id uuid,
  user_id uuid,
  primary key (organization_id, group_id, user_id),
  foreign key (organization_id, group_id) references groups on delete cascade,
  foreign key (organization_id, user_id) references users on delete cascade
);

create table folders (
  organization_id uuid references organizations,
  id uuid,
  name text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index folders_name_index on folders (organization_id, name, id);

create table api_keys (
  organization_id uuid,
  id uuid,
  name text not null,
  key_hash bytea not null constraint api_keys_key_hash_key unique,
  key_suffix text not null,
  scopes text[] not null,
  resource_mode text not null check (resource_mode in ('ALL', 'SELECTED_TEMPLATES', 'SELECTED_FOLDERS')),
  scoped_template_ids uuid[] not null,
  scoped_folder_ids uuid[] not null,
  created_by_user_id uuid not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, created_by_user_id) references users
);

create table sessions (
  organization_id uuid,
  id uuid,
  user_id uuid not null,
  token_hash bytea not null constraint sessions_token_hash_key unique,
  csrf_token text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users on delete cascade
);
create index sessions_user_index on sessions (organization_id, user_id);
create index sessions_expiry_index on sessions (expires_at);

create table idempotency_keys (
  organization_id uuid references organizations,
  caller_id uuid,
  key text,
  request_hash bytea not null,
  body text,
  created_at timestamptz not null,
  primary key (organization_id, caller_id, key)
);
create index idempotency_keys_age_index on idempotency_keys (created_at);
`;
