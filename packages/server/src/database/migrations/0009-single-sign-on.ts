/**
 * Sign-in with OpenID Connect: accounts of providers, what may be used once, and what began a session (decision 0080).
 */
export const singleSignOn = `
  create table identities (
    organization_id uuid,
    id uuid,
    user_id uuid not null,
    issuer text not null,
    subject text not null,
    group_ids jsonb not null default '[]',
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    primary key (organization_id, id),
    constraint identities_subject_key unique (issuer, subject),
    foreign key (organization_id, user_id) references users on delete cascade
  );
  create index identities_user_index on identities (organization_id, user_id);

  create table spent_tokens (
    organization_id uuid references organizations,
    token_hash bytea,
    expires_at timestamptz not null,
    primary key (organization_id, token_hash),
    constraint spent_tokens_hash_key unique (token_hash)
  );
  create index spent_tokens_expiry_index on spent_tokens (expires_at);

  alter table sessions add column issuer text, add column provider_session_id text;
  create index sessions_provider_index on sessions (issuer, provider_session_id)
    where provider_session_id is not null;
`;
