import { Migration } from '@mikro-orm/migrations';

/** Browser sessions, when keys were last used, rotation of signing secrets, deleted groups, and answers kept for repeated requests. */
export class Migration0003Sessions extends Migration {
  override up(): void {
    this.addSql(`
      create table sessions (
        id uuid primary key,
        user_id uuid not null references users on delete cascade,
        token_hash bytea not null,
        csrf_token text not null,
        created_at timestamptz not null,
        last_seen_at timestamptz not null,
        expires_at timestamptz not null
      );
      create unique index sessions_token_hash_key on sessions (token_hash);
      create index sessions_user_index on sessions (user_id);
      create index sessions_expiry_index on sessions (expires_at);

      alter table api_keys add column last_used_at timestamptz;

      alter table organizations
        add column previous_signing_secret text,
        add column previous_signing_secret_expires_at timestamptz;

      alter table groups add column deleted_at timestamptz;

      create table idempotency_keys (
        caller_id uuid not null,
        key text not null,
        request_hash bytea not null,
        body text,
        created_at timestamptz not null,
        primary key (caller_id, key)
      );
      create index idempotency_keys_age_index on idempotency_keys (created_at);

      -- Counters of the rate limits; losing them in a crash does no harm.
      create unlogged table rate_limits (
        key varchar(255) primary key,
        points int not null default 0,
        expire bigint
      );
    `);
  }

  override down(): void {
    throw new Error('Going back would lose sessions and secrets; restore a backup instead.');
  }
}
