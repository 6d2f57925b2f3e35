/** Templates, their versions, the rule syncs after publications, their images and their shares. */
export const templateTables = `
create table templates (
  organization_id uuid references organizations,
  id uuid,
  folder_id uuid,
  name text not null,
  description text,
  run_title_pattern text,
  draft jsonb not null,
  has_unpublished_changes boolean not null,
  published_version_id uuid,
  background_asset_id uuid,
  revision int not null default 1,
  archived_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, folder_id) references folders
);
create index templates_folder_index on templates (organization_id, folder_id) where deleted_at is null;

create table template_versions (
  organization_id uuid,
  id uuid,
  template_id uuid not null,
  number int not null,
  note text,
  document jsonb not null,
  published_by_user_id uuid not null,
  published_at timestamptz not null,
  primary key (organization_id, id),
  constraint template_versions_number_key unique (organization_id, template_id, number),
  foreign key (organization_id, template_id) references templates,
  foreign key (organization_id, published_by_user_id) references users
);

create table template_assets (
  organization_id uuid,
  id uuid,
  template_id uuid not null,
  content_type text not null,
  size int not null,
  width int not null,
  height int not null,
  storage_key text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint template_assets_storage_key_key unique (organization_id, storage_key),
  foreign key (organization_id, template_id) references templates
);
create index template_assets_template_index on template_assets (organization_id, template_id);

create table rule_syncs (
  organization_id uuid,
  template_id uuid,
  template_version_id uuid not null,
  status text not null check (status in ('RUNNING', 'COMPLETED', 'FAILED')),
  total int not null,
  processed int not null,
  failed jsonb not null,
  after_run_id uuid,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  primary key (organization_id, template_id),
  foreign key (organization_id, template_id) references templates,
  foreign key (organization_id, template_version_id) references template_versions
);
create index rule_syncs_running_index on rule_syncs (updated_at) where status = 'RUNNING';

create table template_shares (
  organization_id uuid,
  id uuid,
  template_id uuid not null,
  name text,
  token_hash bytea not null constraint template_shares_token_hash_key unique,
  token_suffix text not null,
  import_count int not null,
  created_by_user_id uuid not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, template_id) references templates,
  foreign key (organization_id, created_by_user_id) references users
);
create index template_shares_template_index on template_shares (organization_id, template_id);

alter table templates add foreign key (organization_id, published_version_id) references template_versions;
alter table templates add foreign key (organization_id, background_asset_id) references template_assets;
`;
