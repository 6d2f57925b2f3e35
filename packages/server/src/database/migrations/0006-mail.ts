/** Mails to members about their work (decision 0077). */
export const mail = `
  create table notification_cursors (
    organization_id uuid primary key references organizations,
    position bigint not null,
    unsubscribe_key uuid not null default gen_random_uuid()
  );

  create table notification_preferences (
    organization_id uuid,
    user_id uuid,
    kinds jsonb not null default '{}',
    digest_hour smallint not null default 8,
    primary key (organization_id, user_id),
    foreign key (organization_id, user_id) references users
  );

  create table notifications (
    organization_id uuid,
    id uuid,
    user_id uuid not null,
    kind text not null check (kind in ('ASSIGNED', 'APPROVAL', 'DUE_SOON', 'OVERDUE', 'REJECTED', 'MENTIONED')),
    event_id uuid not null,
    run_id uuid not null,
    run_task_id uuid,
    comment_id uuid,
    created_at timestamptz not null,
    due_at timestamptz not null,
    mail_id uuid,
    dropped_reason text check (dropped_reason in ('DEACTIVATED', 'UNWANTED', 'OBSOLETE')),
    primary key (organization_id, id),
    constraint notifications_event_key unique (organization_id, event_id, user_id, kind),
    foreign key (organization_id, user_id) references users
  );
  create index notifications_due_index on notifications (organization_id, due_at)
    where mail_id is null and dropped_reason is null;
  create index notifications_pending_index on notifications (organization_id, user_id, due_at)
    where mail_id is null and dropped_reason is null;

  create table mails (
    organization_id uuid,
    id uuid,
    user_id uuid not null,
    to_address text not null,
    message_id text not null,
    subject text not null,
    text text not null,
    html text not null,
    status text not null check (status in ('PENDING', 'SENT', 'BOUNCED', 'FAILED')),
    held_by text check (held_by in ('MEMBER_LIMIT', 'ORGANIZATION_LIMIT')),
    attempts jsonb not null default '[]',
    tries integer not null default 0,
    scheduled_at timestamptz not null,
    next_attempt_at timestamptz,
    lease_token uuid,
    created_at timestamptz not null,
    sent_at timestamptz,
    primary key (organization_id, id),
    foreign key (organization_id, user_id) references users
  );
  create index mails_due_index on mails (next_attempt_at) where status = 'PENDING';
  create index mails_organization_index on mails (organization_id, scheduled_at);
  create index mails_member_index on mails (organization_id, user_id, scheduled_at);
`;
