/**
 * Tables of libraries, which have no entities.
 *
 * `agenda_jobs` has exactly the columns that Agenda's PostgreSQL backend 3.0.6 reads and writes. It is created here
 * because the backend's own set-up fails when several processes start at once; its trigger on `updated_at` is left out,
 * because nothing reads that column. `rate_limits` holds the counters of rate-limiter-flexible. It is unlogged: losing
 * the counters in a crash does no harm.
 */
export const libraryTables = `
create table agenda_jobs (
  id uuid primary key default gen_random_uuid(),
  name varchar(255) not null,
  priority int not null default 0,
  next_run_at timestamptz,
  type varchar(10) not null default 'normal' check (type in ('normal', 'single')),
  locked_at timestamptz,
  last_finished_at timestamptz,
  failed_at timestamptz,
  fail_count int,
  fail_reason text,
  repeat_timezone varchar(100),
  last_run_at timestamptz,
  repeat_interval varchar(255),
  data jsonb default '{}',
  repeat_at varchar(255),
  disabled boolean default false,
  progress real,
  fork boolean default false,
  last_modified_by varchar(255),
  debounce_started_at timestamptz,
  start_date timestamptz,
  end_date timestamptz,
  skip_days jsonb,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create unique index agenda_jobs_single_key on agenda_jobs (name) where type = 'single';
create index agenda_jobs_next_index on agenda_jobs (name, next_run_at, priority desc, locked_at) where not disabled;

create unlogged table rate_limits (
  key varchar(255) primary key,
  points int not null default 0,
  expire bigint
);
`;
