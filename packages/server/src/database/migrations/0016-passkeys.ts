/** Passkeys, with which members sign in (decision 0083). */
export const passkeys = `
  create table passkeys (
    organization_id uuid,
    id uuid,
    user_id uuid not null,
    credential_id text not null,
    public_key bytea not null,
    counter bigint not null,
    transports jsonb not null default '[]',
    name text not null,
    created_at timestamptz not null,
    last_used_at timestamptz,
    primary key (organization_id, id),
    constraint passkeys_credential_key unique (credential_id),
    foreign key (organization_id, user_id) references users on delete cascade
  );
  create index passkeys_user_index on passkeys (organization_id, user_id);

  alter table organizations add column sign_in_key uuid not null default gen_random_uuid();
`;
