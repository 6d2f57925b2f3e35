/**
 * Measures analytics over 1,000,000 runs: `node --conditions=@runward/source benchmarks/analytics.ts [RUNS] [FOLDER]`. Inserts the runs with
 * two tasks each, launched evenly over three years, and prints, for each kind of request, the median and the 95th percentile of 20 requests
 * after 2 to warm the caches, one at a time. With FOLDER the data stays there, to be measured again.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openDatabase } from '@runward/server/internal/database/database';
import { ensureDatabase, startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { inTransaction } from '@runward/server/internal/database/transaction';
import { createOrganization } from '@runward/server/internal/organization/create-organization';
import { apiOf } from '@runward/testing/api';
import { newDataFolder } from '@runward/testing/data-folder';
import { cheapPasswords } from '@runward/testing/passwords';
import { must, publishProcess } from '@runward/testing/process';
import { Client } from 'pg';
import { startRunward } from './service.ts';

const runs = Number(process.argv[2] ?? 1_000_000);
const templates = 20;
const members = 50;
const days = 3 * 365;
const requests = 20;
const log = (line: string) => void process.stdout.write(`${line}\n`);

await using stack = new AsyncDisposableStack();
const given = process.argv[3];
if (given !== undefined) await mkdir(given, { recursive: true });
const folder = given === undefined ? stack.use(await newDataFolder()).path : resolve(given);
const keyFile = join(folder, 'benchmark-key');
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
stack.defer(() => postgres.stop());
const url = postgres.url('service');
const isSeeded = existsSync(keyFile);
const apiKey = isSeeded ? await readFile(keyFile, 'utf8') : await prepare();
const service = await startRunward({ databaseUrl: url, folder, mode: 'production' });
stack.defer(async () => {
  await service.stop();
});
const client = new Client({ connectionString: url });
await client.connect();
stack.defer(() => client.end());
if (!isSeeded) await seed();

async function prepare(): Promise<string> {
  await ensureDatabase(url);
  await migrate(url);
  const database = await openDatabase(url);
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

/** Five in six runs are completed, a few are cancelled, the others are active; one in ten was overdue. */
async function seed(): Promise<void> {
  const began = performance.now();
  const api = apiOf(service.baseUrl, apiKey);
  for (let index = 0; index < templates; index += 1) {
    await publishProcess(api, [{ title: 'Prepare' }, { title: 'Check' }], { name: `Process ${index}` });
  }
  await client.query(
    `insert into users (organization_id, id, email, name, role, status, password_hash, created_at)
     select id, uuidv7(), 'member-' || n || '@example.com', 'Member ' || n, 'MEMBER', 'ACTIVE', '', now()
     from organizations, generate_series(1, $1) n`,
    [members],
  );
  await client.query(
    `with template as (select row_number() over () - 1 as n, id, published_version_id from templates),
       member as (select row_number() over () - 1 as n, id from users)
     insert into runs (organization_id, id, public_id, title, status, template_id, template_version_id, owner_user_id, scheduled_date_local,
       variables, rule_variables, created_at, completed_at, cancelled_at, first_overdue_at, last_activity_at, updated_at, activity_count, activity_hash)
     select organization.id, run.id, 'RUN-' || lpad(run.n::text, 8, '0'), 'Run number ' || run.n, status, template.id, template.published_version_id, member.id,
       at::date, '{}', '{}', at, case when status = 'COMPLETED' then at + took end, case when status = 'CANCELLED' then at + took end,
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
  await client.query(
    `insert into run_tasks (organization_id, id, run_id, task_id, position, status, hidden, done, hidden_field_ids, force_unblocked,
       assigned_manually, due_at, due_at_has_time, deadline_at, overdue_signalled, assignee_id, available_at, completed_at)
     select run.organization_id, uuidv7(), run.id, (version.document #>> array['tasks', n::text, 'id'])::uuid, n,
       case when completed_at is null then 'PENDING' else 'COMPLETED' end, false, completed_at is not null, '[]', false, false,
       created_at + interval '3 days', true, created_at + interval '3 days', first_overdue_at is not null, owner_user_id, created_at, completed_at
     from runs run join template_versions version on version.organization_id = run.organization_id and version.id = run.template_version_id
     cross join generate_series(0, 1) n`,
  );
  for (const table of ['runs', 'run_tasks']) await client.query(`vacuum analyze ${table}`);
  await writeFile(keyFile, apiKey, { mode: 0o600 });
  log(`${runs} runs with ${2 * runs} tasks inserted in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}

const api = apiOf(service.baseUrl, apiKey);
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const templateId = (await must(api.call('templates', 'list', { query: { limit: 1 } }))).data[0]?.id ?? '';
const ownerUserId = (await must(api.call('users', 'list', { query: { limit: 1 } }))).data[0]?.id ?? '';
const month = { from: day(30) };
const year = { from: day(365) };
const everything = { from: day(days + 10) };
const measured: Readonly<Record<string, () => Promise<{ total: number }>>> = {
  'summary, 30 days': () => must(api.call('analytics', 'summary', { query: month })),
  'summary, a year': () => must(api.call('analytics', 'summary', { query: year })),
  'summary, all time': () => must(api.call('analytics', 'summary', { query: everything })),
  'summary, all time, one template': () =>
    must(api.call('analytics', 'summary', { query: { ...everything, templateId } })),
  'summary, all time, one owner': () =>
    must(api.call('analytics', 'filtered', { body: { ...everything, filters: { ownerUserIds: [ownerUserId] } } })),
  'advanced, 30 days': () => must(api.call('analytics', 'advanced', { query: month })),
  'advanced, a year': () => must(api.call('analytics', 'advanced', { query: year })),
  'advanced, all time': () => must(api.call('analytics', 'advanced', { query: everything })),
};

log(`\n${'request'.padEnd(34)}${'runs'.padStart(9)}${'p50 ms'.padStart(9)}${'p95 ms'.padStart(9)}`);
for (const [title, request] of Object.entries(measured)) {
  const times: number[] = [];
  let total = 0;
  for (let index = -2; index < requests; index += 1) {
    const start = performance.now();
    ({ total } = await request());
    if (index >= 0) times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? NaN).toFixed(0).padStart(9);
  log(`${title.padEnd(34)}${String(total).padStart(9)}${at(0.5)}${at(0.95)}`);
}
