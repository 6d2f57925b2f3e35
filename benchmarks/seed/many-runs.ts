import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessDocument } from '@runward/engine';
import { withClient } from '@runward/server/internal/database/connection/with-client';
import { apiOf, type Api } from '@runward/testing/api';
import type { Client } from 'pg';
import type { Bench } from '../harness/part.ts';
import type { ServerProcess } from '../harness/server-process.ts';
import { startRunward, type ServiceOptions } from '../harness/service.ts';
import { createWithOrganization } from './organization.ts';
import { countRuns } from './seed.ts';
import { documentOf, insertTemplate } from './template.ts';

/** How many days before now the first run was launched. */
const days = 3 * 365;

const templates = 20;
const members = 50;
const stepSize = 50_000;

/** The number of runs to insert, and of tasks per run. The templates have as many tasks, but at least two. */
export interface Amount {
  readonly runs: number;
  readonly tasks: number;
  /** Whether the first task of each template has a form. */
  readonly forms?: boolean;
}

/** Starts the service in production mode on its own database, with or without many runs. The stack stops it. */
export async function startOn(
  bench: Bench & Pick<ServiceOptions, 'env'>,
  database: string,
  amount?: Amount,
): Promise<{ readonly service: ServerProcess; readonly apiKey: string; readonly api: Api }> {
  const databaseUrl = bench.postgres.url(database);
  const { apiKey } = await (amount ? seedManyRuns(bench, database, amount) : createWithOrganization(databaseUrl));
  const service = bench.stack.use(await startRunward({ ...bench, databaseUrl, mode: 'production' }));
  return { service, apiKey, api: apiOf(service.url, apiKey) };
}

/**
 * Fills a database with runs of 20 templates and 51 owners, launched evenly over three years. Five in six are
 * completed, a few are cancelled, and the others are active. One in ten was overdue; one in 120 is archived. A database
 * that was filled before is not changed.
 */
export async function seedManyRuns(
  { postgres, folder, log }: Bench,
  database: string,
  { runs, tasks, forms = false }: Amount,
): Promise<{ readonly apiKey: string }> {
  const keyFile = join(folder, `${database}.key`);
  if (existsSync(keyFile)) return { apiKey: await readFile(keyFile, 'utf8') };
  const databaseUrl = postgres.url(database);
  const { organizationId, ownerUserId: userId, apiKey } = await createWithOrganization(databaseUrl);
  const began = performance.now();
  await withClient(databaseUrl, async (client) => {
    // The rows are known to be right, so checking their foreign keys one by one is skipped.
    await client.query('set session_replication_role = replica');
    await insertTemplates(client, { organizationId, userId }, () => documentOf(Math.max(2, tasks), forms));
    await insertMembers(client);
    await insertRuns(client, runs);
    await insertTasks(client, runs, tasks);
    await countRuns(client);
    // Otherwise the first measurements would include it.
    await client.query('vacuum (analyze)');
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  log(`${runs} runs with ${tasks * runs} tasks inserted in ${seconds} s`);
  await writeFile(keyFile, apiKey, { mode: 0o600 });
  return { apiKey };
}

async function insertTemplates(
  client: Client,
  ids: { organizationId: string; userId: string },
  newDocument: () => ProcessDocument,
) {
  for (let index = 0; index < templates; index += 1) {
    await insertTemplate(client, ids, `Process ${index}`, newDocument());
  }
}

async function insertMembers(client: Client): Promise<void> {
  await client.query(
    `insert into users (organization_id, id, email, name, role, status, password_hash, created_at)
     select id, uuidv7(), 'member-' || n || '@example.com', 'Member ' || n, 'MEMBER', 'ACTIVE', '', now()
     from organizations, generate_series(1, $1) n`,
    [members],
  );
}

async function insertRuns(client: Client, runs: number): Promise<void> {
  await client.query(
    `with template as (select row_number() over () - 1 as n, id, published_version_id from templates),
       member as (select row_number() over () - 1 as n, id from users)
     insert into runs (organization_id, id, public_id, title, status, template_id, template_version_id, owner_user_id, scheduled_date_local,
       variables, rule_variables, created_at, completed_at, cancelled_at, archived_at, first_overdue_at, last_activity_at, updated_at, activity_count, activity_hash)
     select organization.id, run.id, 'RUN-' || lpad(run.n::text, 8, '0'), 'Run number ' || run.n, status, template.id, template.published_version_id, member.id,
       at::date, '{}', '{}', at, case when status = 'COMPLETED' then at + took end, case when status = 'CANCELLED' then at + took end,
       case when hash % 3000 < 25 then at + took end,
       case when hash % 10 = 0 or status = 'OVERDUE' then at + took / 2 end, at + took, at + took, 0, repeat('0', 64)
     from organizations organization cross join (
       select n, id, date_trunc('milliseconds', uuid_extract_timestamp(id)) as at, hash, make_interval(secs => hash % 500000) as took,
         case when hash % 30 < 25 then 'COMPLETED' when hash % 30 = 25 then 'CANCELLED' when hash % 30 < 29 then 'RUNNING' else 'OVERDUE' end as status
       from (select n, abs(hashint8(n)) as hash, uuidv7(make_interval(secs => -n::float8 * $2 * 86400 / $1)) as id from generate_series($1, 1, -1) n) each
     ) run
     join template on template.n = hash / 7 % $3
     join member on member.n = hash / 11 % $4`,
    [runs, days, templates, members + 1],
  );
}

/** Inserted in steps, so that each statement stays small. */
async function insertTasks(client: Client, runs: number, tasks: number): Promise<void> {
  if (tasks === 0) return;
  for (let from = 0; from < runs; from += stepSize) {
    await client.query(
      `insert into run_tasks (organization_id, id, run_id, template_id, task_id, position, status, hidden, done, hidden_field_ids, force_unblocked,
         assigned_manually, due_at, due_at_has_time, deadline_at, overdue_signalled, assignee_id, available_at, completed_at, listed)
       select run.organization_id, uuidv7(), run.id, run.template_id, (version.document #>> array['tasks', n::text, 'id'])::uuid, n,
         case when completed_at is null then 'PENDING' else 'COMPLETED' end, false, completed_at is not null, '[]', false, false,
         created_at + interval '3 days', true, created_at + interval '3 days', first_overdue_at is not null, owner_user_id, created_at, completed_at,
         status in ('RUNNING', 'OVERDUE') and archived_at is null
       from (select * from runs order by id offset $1 limit $2) run
       join template_versions version on version.organization_id = run.organization_id and version.id = run.template_version_id
       cross join generate_series(0, $3 - 1) n`,
      [from, stepSize, tasks],
    );
  }
}
