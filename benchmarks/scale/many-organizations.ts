import type { Client } from 'pg';

/** Time to change the deadlines before they pass. */
const aheadSeconds = 20;
/** The tables to copy, and the columns besides the organization's that differ in each copy. */
const copied = {
  templates: ['published_version_id'],
  template_versions: ['id'],
  runs: ['id', 'template_version_id'],
  run_tasks: ['id', 'run_id'],
  run_counters: [],
} as const;

/**
 * Copies the only organization of a database, with its templates, members and runs, until there are enough
 * organizations.
 */
export async function copyOrganization(client: Client, count: number): Promise<void> {
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into organizations
     select (jsonb_populate_record(one, jsonb_build_object('id', uuidv7(), 'name', 'Organization ' || n))).*
     from organizations one, generate_series(2, $1) n`,
    [count],
  );
  const first = '(select organization_id from templates limit 1)';
  const others = `(select id, lpad(to_hex(row_number() over ()), 6, '0') as suffix from organizations where id <> ${first}) other`;
  await client.query(
    `insert into users
     select (jsonb_populate_record(one, jsonb_build_object('organization_id', other.id, 'email', other.id || one.email))).*
     from users one, ${others} where one.organization_id = ${first}`,
  );
  for (const [table, ids] of Object.entries(copied)) {
    const renewed = ids.map((id) => `, '${id}', overlay(one.${id}::text placing other.suffix from 31)`).join('');
    await client.query(
      `insert into ${table} select (jsonb_populate_record(one, jsonb_build_object('organization_id', other.id${renewed}))).*
       from ${table} one, ${others} where one.organization_id = ${first}`,
    );
  }
  await client.query('set session_replication_role = default');
}

/** Moves the deadline of one open task per organization to the same instant. Returns that instant. */
export async function makeDue(client: Client): Promise<Date> {
  const { rows } = await client.query<{ deadline: Date }>(
    `with deadline as (
       select date_trunc('milliseconds', now() + make_interval(secs => $1)) as at
     ), run as (
       update runs set next_deadline_at = at from deadline
       where (organization_id, id) in (
         select distinct on (organization_id) organization_id, id from runs where status = 'RUNNING' order by organization_id, id
       )
       returning organization_id, id
     ), task as (
       update run_tasks task set due_at = at, deadline_at = at, overdue_signalled = false from deadline, run
       where task.organization_id = run.organization_id and task.run_id = run.id and task.position = 0
     )
     select at as deadline from deadline`,
    [aheadSeconds],
  );
  if (!rows[0]) throw new Error('No deadline was moved.');
  return rows[0].deadline;
}
