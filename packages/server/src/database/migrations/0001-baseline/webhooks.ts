/** Webhooks, their deliveries, and the feed of events. */
export const webhookTables = `
create table webhooks (
  organization_id uuid references organizations,
  id uuid,
  name text not null,
  url text not null,
  enabled_events text[] not null,
  enabled boolean not null,
  disabled_reason text,
  disabled_at timestamptz,
  failing_since timestamptz,
  template_mode text not null check (template_mode in ('ALL_FLOWS', 'SELECTED_TEMPLATES')),
  template_ids uuid[] not null,
  description text,
  backlog_from timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);

create table webhook_deliveries (
  organization_id uuid references organizations,
  webhook_id uuid,
  id uuid,
  record_id uuid not null,
  event text not null,
  status text not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
  queue smallint not null default 0 check (queue in (0, 1, 2)),
  attempts jsonb not null default '[]',
  tries int not null default 0,
  next_attempt_at timestamptz,
  lease_token uuid,
  created_at timestamptz not null,
  primary key (organization_id, webhook_id, id),
  constraint webhook_deliveries_record_key unique (organization_id, record_id)
);
create index webhook_deliveries_due_index on webhook_deliveries (organization_id, webhook_id, queue, next_attempt_at)
  where status = 'PENDING';
create index webhook_deliveries_lease_index on webhook_deliveries (organization_id, webhook_id)
  where lease_token is not null;

create table events (
  organization_id uuid references organizations,
  id uuid,
  run_id uuid,
  template_id uuid,
  sequence int,
  event text not null,
  body text not null,
  is_test boolean not null default false,
  position bigint,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index events_feed_index on events (organization_id, position) where position is not null;
create index events_unplaced_index on events (organization_id, created_at, run_id, sequence)
  where position is null and not is_test;
create index events_unplaced_run_index on events (organization_id, run_id, sequence)
  where position is null and not is_test;

create table event_feeds (
  organization_id uuid primary key references organizations,
  position bigint not null
);
`;
