import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@runward/server/internal/database/database';
import { ensureDatabase } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { inTransaction } from '@runward/server/internal/database/transaction';
import { createOrganization } from '@runward/server/internal/organization/create-organization';
import { apiOf, type Api } from '@runward/testing/api';
import { cheapPasswords } from '@runward/testing/passwords';
import { publishProcess } from '@runward/testing/process';
import { Client } from 'pg';
import { countRuns } from './seed.ts';
import { startRunward } from './service.ts';

/** How many days before now the first run was launched. */
export const days = 3 * 365;

const templates = 20;
const members = 50;
const stepSize = 50_000;

/** A service with many runs. */
export interface ManyRuns {
  /** How many runs to insert, and how many tasks each gets. The templates have two, or as many. */
  readonly runs: number;
  readonly tasks: number;
  /** A database that may not exist yet. If it has runs, they are used. */
  readonly databaseUrl: string;
  /** Where the key of the organization is kept. */
  readonly folder: string;
  readonly log: (line: string) => void;
}

/**
 * Starts the service in production mode on a database with runs of 20 templates and 51 owners, launched evenly over three years. Five in six
 * are completed, a few are cancelled, the others are active; one in ten was overdue; one in 120 is archived. The stack stops the service.
 */
export async function startWithRuns(
  many: ManyRuns,
  stack: AsyncDisposableStack,
): Promise<{ readonly api: Api; readonly baseUrl: string }> {
  const { runs, databaseUrl, folder } = many;
  const keyFile = join(folder, `benchmark-key-${runs}`);
  const isSeeded = existsSync(keyFile);
  const apiKey = isSeeded ? await readFile(keyFile, 'utf8') : await prepareOrganization(databaseUrl);
  const service = await startRunward({ databaseUrl, folder, mode: 'production' });
  stack.defer(async () => {
    await service.stop();
  });
  const api = apiOf(service.baseUrl, apiKey);
  if (!isSeeded) {
    await seed(api, many);
    await writeFile(keyFile, apiKey, { mode: 0o600 });
  }
  return { api, baseUrl: service.baseUrl };
}

/** Creates the database with an organization. Returns its API key. */
export async function prepareOrganization(databaseUrl: string): Promise<string> {
  await ensureDatabase(databaseUrl);
  await migrate(databaseUrl);
  const database = await openDatabase(databaseUrl);
  const organization = {
    name: 'Benchmark',
    plan: 'ENTERPRISE',
    timeZone: 'Europe/Berlin',
    ownerEmail: 'owner@example.com',
  } as const;
  const made = await inTransaction(database, (em) => createOrganization(em, cheapPasswords, organization));
  await database.close();
  return made.apiKey;
}

async function seed(api: Api, { runs, tasks, databaseUrl, log }: ManyRuns): Promise<void> {
  const began = performance.now();
  const titles = Array.from({ length: Math.max(2, tasks) }, (_, index) => ({ title: `Step ${index + 1}` }));
  for (let index = 0; index < templates; index += 1) {
    await publishProcess(api, titles, { name: `Process ${index}` });
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // Rows that are known to be right are inserted without checking their foreign keys, one by one.
    await client.query('set session_replication_role = replica');
    await insertMembers(client);
    await insertRuns(client, runs);
    await insertTasks(client, runs, tasks);
    await countRuns(client);
    // Otherwise the first measurements would include it.
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  log(`${runs} runs with ${tasks * runs} tasks inserted in ${seconds} s`);
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

/** In steps, so that each stays small. */
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
