/** The files of the fields of runs. */
export const fileTables = `
create table files (
  organization_id uuid,
  id uuid,
  run_id uuid not null,
  entry_id uuid not null,
  run_task_field_id uuid not null,
  status text not null check (status in ('UPLOADING', 'STORED')),
  storage_key text not null,
  file_name text not null,
  content_type text not null,
  size bigint not null,
  sha256 text,
  scan_status text not null check (scan_status in ('PENDING', 'CLEAN', 'INFECTED', 'SKIPPED', 'FAILED')),
  scan_signature text,
  scanned_at timestamptz,
  thumbnail_status text not null check (thumbnail_status in ('PENDING', 'READY', 'NONE')),
  thumbnail_width int,
  thumbnail_height int,
  thumbnail_problem text,
  next_attempt_at timestamptz,
  lease_token uuid,
  tries int not null default 0,
  created_by_user_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (organization_id, id),
  constraint files_storage_key_key unique (organization_id, storage_key),
  foreign key (organization_id, run_id) references runs,
  foreign key (organization_id, entry_id) references entries,
  foreign key (organization_id, created_by_user_id) references users
);
create index files_run_index on files (organization_id, run_id);
create index files_entry_index on files (organization_id, entry_id);
create index files_field_index on files (organization_id, run_task_field_id, id);
create index files_due_index on files (next_attempt_at) where next_attempt_at is not null;
create index files_expiry_index on files (expires_at) where expires_at is not null;
`;
