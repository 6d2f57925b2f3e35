/**
 * The audit log of administration (decision 0078). Programs that do not know it would administer without leaving lines,
 * so the migration is not compatible (decision 0069).
 */
export const auditLog = `
  create table audit_heads (
    organization_id uuid primary key references organizations,
    count integer not null,
    hash text not null,
    previous_hash text not null,
    purged_count integer not null default 0
  );

  create table audit_lines (
    organization_id uuid references organizations,
    sequence integer,
    at timestamptz not null,
    action text not null,
    actor_type text not null check (actor_type in ('USER', 'API_KEY', 'ADMINISTRATION', 'ANONYMOUS')),
    actor_user_id uuid,
    actor_api_key_id uuid,
    address text,
    target_type text not null,
    target_id uuid not null,
    target_label text,
    before jsonb,
    after jsonb,
    previous_hash text not null,
    hash text not null,
    primary key (organization_id, sequence),
    foreign key (organization_id, actor_user_id) references users,
    foreign key (organization_id, actor_api_key_id) references api_keys
  );
  create index audit_lines_target_index on audit_lines (organization_id, target_id, sequence);
`;
