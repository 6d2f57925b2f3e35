/** Links with which members set their password, and members without one (decision 0079). */
export const passwordLinks = `
  alter table users alter column password_hash drop not null;

  create table password_links (
    organization_id uuid,
    user_id uuid,
    purpose text not null check (purpose in ('INVITATION', 'RESET')),
    token_hash bytea not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (organization_id, user_id),
    foreign key (organization_id, user_id) references users on delete cascade,
    constraint password_links_token_hash_key unique (token_hash)
  );
`;
