import type { ProcessDocument } from '@runward/engine';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import type { EmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import type { Client } from 'pg';
import { createWithOrganization } from './organization.ts';
import { documentOf, insertTemplate } from './template.ts';

/** What both databases contain. */
export interface Seed {
  readonly organizationId: string;
  readonly userId: string;
  readonly apiKeyId: string;
  readonly apiKey: string;
  readonly webhookId: string;
  readonly templateId: string;
  readonly versionId: string;
  readonly document: ProcessDocument;
  /** Runs with tasks, to read. */
  readonly runIds: readonly string[];
  /** Tasks whose form was never opened, each in its own run. */
  readonly formTaskIds: readonly string[];
}

/** How many runs there are. */
export const runCount = 100_000;
/** The number of runs with tasks that the benchmark reads. */
const detailed = 500;
/**
 * The number of other runs with tasks, a filled-in form, activity and deliveries. They are needed because PostgreSQL
 * plans differently for empty tables.
 */
const past = 5_000;

/**
 * The URL of the webhook while throughput is measured. In production the service does not call it, so an attempt is
 * cheap and harmless.
 */
const loopbackUrl = 'https://127.0.0.1/hook';

/**
 * Fills the database `service` with an organization, a published template of ten tasks, a webhook and runs; some runs
 * have a form to fill in. Gives the baseline a copy with the same rows and ids.
 */
export async function seedTwice(postgres: EmbeddedPostgres, forms: number): Promise<Seed> {
  const databaseUrl = postgres.url('service');
  const { organizationId, ownerUserId: userId, apiKeyId, apiKey } = await createWithOrganization(databaseUrl);
  const document = documentOf(10, true);
  const seeded = await withClient(databaseUrl, async (client): Promise<Seed> => {
    const template = await insertTemplate(client, { organizationId, userId }, 'Benchmark', document);
    const [webhookId = ''] = await insertWebhooks(client);
    const ids = { organizationId, userId, apiKeyId, ...template, webhookId };
    await insertRuns(client, ids, runCount);
    const tasks = document.tasks.map(({ id }) => id);
    const first = await insertTasks(client, tasks, detailed + forms + past);
    await countRuns(client);
    await insertPast(client, ids, document, first[past]?.runId ?? null);
    // Otherwise the first measurements would include it.
    await client.query('vacuum (analyze)');
    return {
      ...ids,
      apiKey,
      document,
      runIds: first.slice(past, past + detailed).map(({ runId }) => runId),
      formTaskIds: first.slice(past + detailed).map(({ id }) => id),
    };
  });
  const copy = 'create database baseline template service strategy file_copy';
  await withClient(postgres.url('postgres'), (client) => client.query(copy));
  return seeded;
}

/** Sets the run counters for runs and tasks that were inserted without the service. */
export async function countRuns(client: Client): Promise<void> {
  await client.query(
    `insert into run_counters (organization_id, template_id, status, archived, count, task_count)
     select organization_id, template_id, status, archived_at is not null, count(*), coalesce(sum(tasks), 0)
     from runs left join (
       select organization_id, run_id as id, count(*) as tasks from run_tasks where not hidden and removed_at is null group by 1, 2
     ) task using (organization_id, id)
     group by 1, 2, 3, 4
     on conflict (organization_id, template_id, status, archived) do update
       set count = excluded.count, task_count = excluded.task_count`,
  );
}

type Ids = Omit<Seed, 'apiKey' | 'document' | 'runIds' | 'formTaskIds'>;

/** Adds a webhook to every organization. Returns their ids. */
export async function insertWebhooks(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into webhooks (id, organization_id, name, url, enabled_events, enabled, template_mode, template_ids, created_at, updated_at)
     select uuidv7(), id, 'Benchmark', $1, '{run.started,run.completed,task.completed}', true, 'ALL_FLOWS', '{}', now(), now() from organizations
     returning id`,
    [loopbackUrl],
  );
  return rows.map(({ id }) => id);
}

/** One run per second up to now. */
async function insertRuns(client: Client, ids: Ids, count: number): Promise<void> {
  const { organizationId, userId, templateId, versionId } = ids;
  await client.query(
    `insert into runs (id, organization_id, public_id, title, status, template_id, template_version_id, owner_user_id,
       scheduled_date_local, variables, rule_variables, created_at, last_activity_at, updated_at, activity_count,
       activity_hash)
     select uuidv7(make_interval(secs => n - $5)), $1, 'RUN-' || lpad(n::text, 8, '0'), 'Run number ' || n, 'RUNNING', $2, $3, $4,
       current_date, '{}', '{}', now() + make_interval(secs => n - $5), now() + make_interval(secs => n - $5),
       now() + make_interval(secs => n - $5), 0, repeat('0', 64)
     from generate_series(1, $5::int) n`,
    [organizationId, templateId, versionId, userId, count],
  );
}

/** Adds tasks to the newest runs. Returns the first task of each. */
async function insertTasks(
  client: Client,
  taskIds: readonly string[],
  count: number,
): Promise<{ id: string; runId: string }[]> {
  const { rows } = await client.query<{ id: string; runId: string; position: number }>(
    `insert into run_tasks (organization_id, id, run_id, template_id, task_id, position, status, hidden, done, hidden_field_ids,
        force_unblocked, assigned_manually, due_at_has_time, overdue_signalled, listed)
     select run.organization_id, uuidv7(), run.id, run.template_id, task.id, task.position - 1, 'PENDING', false, false, '[]', false, false,
       false, false, true
     from (select organization_id, id, template_id from runs order by id desc limit $1) run
     cross join unnest($2::uuid[]) with ordinality task (id, position) order by run.id, task.position
     returning id, run_id as "runId", position`,
    [count, taskIds],
  );
  return rows.filter(({ position }) => position === 0);
}

/**
 * Adds a history to the runs with tasks before `upTo`: the form of the first task was completed, and the events were
 * delivered.
 */
async function insertPast(client: Client, ids: Ids, document: ProcessDocument, upTo: string | null): Promise<void> {
  const { organizationId, userId, apiKeyId, webhookId, templateId } = ids;
  const fieldIds = document.tasks[0]?.fields.map(({ id }) => id) ?? [];
  const firstTasks = `from run_tasks task where position = 0 and ($1::uuid is null or run_id < $1)`;
  await client.query(
    `insert into entries (organization_id, id, run_id, run_task_id, status, created_by_user_id, created_at, completed_at)
     select organization_id, uuidv7(), run_id, id, 'COMPLETED', $2, now(), now() ${firstTasks}`,
    [upTo, userId],
  );
  await client.query(
    `insert into field_values (organization_id, id, run_id, entry_id, run_task_field_id, field_type, value, submitted_by_user_id, submitted_at)
     select organization_id, uuidv7(), run_id, entries.id, field_id, 'TEXT', '"A value"', $2, now() from entries, unnest($1::uuid[]) field_id`,
    [fieldIds, userId],
  );
  await client.query(
    `insert into activity (organization_id, run_id, sequence, id, type, at, actor_type, actor_user_id, actor_api_key_id, data, hash, ends_change)
     select organization_id, run_id, n, uuidv7(), type, now(), 'API_KEY', $2, $3, jsonb_build_object('runTaskId', task.id, 'fieldValueId', uuidv7()),
       repeat('0', 64), n in (1, 2, 5, 7)
     from unnest('{run.started,entry.opened,value.submitted,value.submitted,value.submitted,entry.completed,task.completed}'::text[])
       with ordinality fact (type, n) cross join lateral (select organization_id, id, run_id ${firstTasks}) task`,
    [upTo, userId, apiKeyId],
  );
  await client.query(`update runs set activity_count = 7 where id in (select run_id from entries)`);
  await client.query(
    `update run_tasks set status = 'COMPLETED', completed_at = now(), completed_by_user_id = $1
     where id in (select run_task_id from entries)`,
    [userId],
  );
  await client.query(
    `with event as (
       insert into events (id, organization_id, run_id, template_id, sequence, event, body, position, created_at)
       select uuidv7(), $2, run_id, $4, sequence, event, json_build_object('event', event, 'data', json_build_object('runId', run_id)),
         row_number() over (), now()
       from (values (1, 'run.started'), (7, 'task.completed')) past (sequence, event) cross join lateral (select * ${firstTasks}) task
       returning id, event
     )
     insert into webhook_deliveries (webhook_id, id, record_id, organization_id, event, status, attempts, tries, created_at)
     select $3, id, id, $2, event, 'SUCCEEDED', '[{"statusCode": 204}]', 1, now() from event`,
    [upTo, organizationId, webhookId, templateId],
  );
  await client.query('insert into event_feeds select $1, count(*) from events', [organizationId]);
}
