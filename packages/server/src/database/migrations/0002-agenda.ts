import { Migration } from '@mikro-orm/migrations';

/**
 * The table Agenda keeps its recurring jobs in, column for column what its PostgreSQL backend 3.0.6 reads and writes. It is made
 * here because the backend's own set-up fails when several processes start at once. Left out is its trigger on `updated_at`,
 * which nothing reads.
 */
export class Migration0002Agenda extends Migration {
  override up(): void {
    this.addSql(`
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
    `);
  }

  override down(): void {
    this.addSql('drop table agenda_jobs');
  }
}
