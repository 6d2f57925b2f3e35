import type { Client } from 'pg';
import type { Seed } from './seed.ts';

/** The template of the runs, and their owner. */
export type DueRuns = Pick<Seed, 'organizationId' | 'userId' | 'templateId' | 'versionId' | 'document'>;

/**
 * Adds runs with one open task each. All tasks are due at the same instant, `aheadSeconds` from now by the database's
 * clock. Returns that instant.
 */
export async function addDueRuns(client: Client, seeded: DueRuns, count: number, aheadSeconds: number): Promise<Date> {
  const { organizationId, userId, templateId, versionId, document } = seeded;
  const { rows } = await client.query<{ deadline: Date }>(
    `with deadline as (
       select date_trunc('milliseconds', now() + make_interval(secs => $7)) as at
     ), run as (
       insert into runs (id, organization_id, public_id, title, status, template_id, template_version_id, owner_user_id,
         scheduled_date_local, variables, rule_variables, created_at, last_activity_at, updated_at, next_deadline_at, activity_count, activity_hash)
       select uuidv7(), $1, 'DUE-' || lpad(n::text, 8, '0'), 'Due run number ' || n, 'RUNNING', $2, $3, $4,
         current_date, '{}', '{}', now(), now(), now(), at, 0, repeat('0', 64)
       from deadline, generate_series(1, $5::int) n
       returning organization_id, id, template_id, next_deadline_at
     ), counter as (
       insert into run_counter_changes (organization_id, id, template_id, status, archived, change, task_change)
       values ($1, uuidv7(), $2, 'RUNNING', false, $5, $5)
     ), task as (
       insert into run_tasks (organization_id, id, run_id, template_id, task_id, position, status, hidden, done, hidden_field_ids,
         force_unblocked, assigned_manually, due_at, due_at_has_time, deadline_at, overdue_signalled, listed)
       select organization_id, uuidv7(), id, template_id, $6, 0, 'PENDING', false, false, '[]', false, false, next_deadline_at, true,
         next_deadline_at, false, true from run
     )
     select at as deadline from deadline`,
    [organizationId, templateId, versionId, userId, count, document.tasks[0]?.id, aheadSeconds],
  );
  if (!rows[0]) throw new Error('The due runs were not inserted.');
  return rows[0].deadline;
}
