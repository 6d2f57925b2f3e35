import { migrate } from '@runward/server/internal/database/migrate';
import { must } from '@runward/testing/process';
import type { Api } from '@runward/testing/api';
import type { Client } from 'pg';
import { measureDetection } from '../detection.ts';
import type { DueRuns } from '../due-runs.ts';
import { measureExport } from '../export.ts';
import { days } from '../many-runs.ts';
import { startRunward } from '../service.ts';
import { watchMemory } from '../usage.ts';
import { addEvents, measureRetention } from './events.ts';
import { line, timeOnce, timeRequests, type Log, type Request } from './timed.ts';

/** An organization with many runs, and how many events and deliveries to add. */
export interface LargeOrganization {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly client: Client;
  readonly apiKey: string;
  readonly apiOf: (baseUrl: string) => Api;
  readonly runs: number;
  readonly log: Log;
}

const due = 10_000;

/** Measures an organization that has a database to itself. */
export async function measureOneOrganization(large: LargeOrganization): Promise<void> {
  const { client, databaseUrl, folder, apiOf, apiKey, runs, log } = large;
  await timeOnce('vacuum (analyze)', log, () => client.query('vacuum (analyze)'));
  await timeOnce('migration, none to do', log, () => migrate(databaseUrl));
  const ids = await readIds(client);
  {
    await using service = await timeOnce('start until ready', log, () =>
      startRunward({ databaseUrl, folder, mode: 'production' }),
    );
    const memory = watchMemory(service.pid);
    const api = apiOf(service.baseUrl);
    await addEvents(client, ids, runs);
    await timeRequests(requestsOf(api, ids), log);
    const createdFrom = new Date(Date.now() - (days / 10) * 86_400_000).toISOString().slice(0, 10);
    const { total } = await must(api.call('runs', 'list', { query: { createdFrom, limit: 1 } }));
    const query = `?${new URLSearchParams({ createdFrom }).toString()}`;
    const headers = { authorization: `Bearer ${apiKey}` };
    const { firstByte, last, megabytes } = await measureExport(service.baseUrl, headers, total, query);
    log(
      line(
        `export of ${total} runs as CSV`,
        `${last.toFixed(1)} s, first byte ${firstByte.toFixed(2)} s, ${megabytes.toFixed(0)} MB`,
      ),
    );
    log(line('memory of the service', `${(await memory.stop()).toFixed(0)} MB`));
    await measureRetention({ client, databaseUrl, ids, deliveries: 5 * runs, request: readRun(api, ids), log });
  }
  await using stack = new AsyncDisposableStack();
  const { first, last } = await measureDetection({ databaseUrl, folder, seeded: ids, tasks: due }, stack);
  log(line(`detection of ${due} overdue tasks`, `first after ${first.toFixed(1)} s, last after ${last.toFixed(1)} s`));
}

/** What the requests name. */
export interface KnownIds extends DueRuns {
  readonly runIds: readonly string[];
}

/** The first template of the first organization, and a thousand of its runs. */
export async function readIds(client: Client): Promise<KnownIds> {
  const { rows } = await client.query<DueRuns>(
    `select organization_id as "organizationId", template.id as "templateId", version.id as "versionId", document,
       published_by_user_id as "userId"
     from templates template join template_versions version using (organization_id)
     where version.id = template.published_version_id order by organization_id, template.id limit 1`,
  );
  const [known] = rows;
  if (!known) throw new Error('There is no published template.');
  const picked = await client.query<{ id: string }>(
    'select id from runs tablesample system_rows(1000) where organization_id = $1',
    [known.organizationId],
  );
  return { ...known, runIds: picked.rows.map(({ id }) => id) };
}

/** Reads another run each time. */
export function readRun(api: Api, { runIds }: KnownIds): Request {
  return (index) => must(api.call('runs', 'get', { params: { id: runIds[index % runIds.length] ?? '' } }));
}

/** The requests that are measured, with and without filters. */
export function requestsOf(api: Api, ids: KnownIds): Readonly<Record<string, Request>> {
  const { templateId, userId } = ids;
  const list = (query: object) => () => must(api.call('runs', 'list', { query: { limit: 50, ...query } }));
  const tasks = (query: object) => () => must(api.call('runs.tasks', 'list', { query: { limit: 50, ...query } }));
  const month = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const cursors: (string | undefined)[] = [];
  return {
    'list of 50': list({}),
    'list, one template': list({ templateId }),
    'list, RUNNING': list({ statuses: ['RUNNING'] }),
    'list, created in the last 30 days': list({ createdFrom: month }),
    'list, one title': list({ search: 'number 777' }),
    'list, by title': list({ sort: 'title' }),
    'list, by scheduled date': list({ sort: '-scheduledDateLocal' }),
    'preview, one owner': () =>
      must(api.call('savedViews', 'preview', { body: { filters: { ownerUserIds: [userId] } } })),
    counts: () => must(api.call('runs', 'counts')),
    'tasks across runs': tasks({}),
    'tasks across runs, one assignee': tasks({ assigneeId: userId }),
    'tasks across runs, one template': tasks({ templateId }),
    'tasks across runs, BLOCKED': tasks({ status: ['BLOCKED'] }),
    'tasks across runs, PENDING': tasks({ status: ['PENDING'] }),
    'tasks across runs, overdue': tasks({ overdue: true }),
    'GET /runs/:id': readRun(api, ids),
    'launch of a run': (index) =>
      must(api.call('runs', 'launch', { body: { templateId, title: `Measured ${index}` } })),
    'events, a page of 100': async () => {
      const after = cursors.at(-1);
      const page = await must(api.call('events', 'list', { query: { limit: 100, ...(after && { after }) } }));
      cursors.push(page.after);
    },
  };
}
