import type { Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';
import type { Client } from 'pg';
import type { DueRuns } from '../seed/due-runs.ts';

/** A request to measure. The index counts its repetitions. */
type Request = (index: number) => Promise<unknown>;

/** What the requests name. */
export interface KnownIds extends DueRuns {
  readonly runIds: readonly string[];
}

/** Reads the first template of the first organization, and a thousand of its runs. */
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

/** The requests that are measured, with and without filters. */
export function requestsOf(api: Api, ids: KnownIds): Readonly<Record<string, Request>> {
  const { templateId, userId, runIds } = ids;
  const list = (query: object) => () => must(api.call('runs', 'list', { query: { limit: 50, ...query } }));
  const tasks = (query: object) => () => must(api.call('runs.tasks', 'list', { query: { limit: 50, ...query } }));
  const month = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  return {
    'list of 50': list({}),
    'list, one template': list({ templateId }),
    'list, RUNNING': list({ statuses: ['RUNNING'] }),
    'list, created in the last 30 days': list({ createdFrom: month }),
    'list, one title': list({ search: 'number 777' }),
    'list, one title, bounded': list({ search: 'number 777', total: 'bounded' }),
    'list, most titles, bounded': list({ search: 'number', total: 'bounded' }),
    'list, by title': list({ sort: 'title' }),
    'list, by scheduled date': list({ sort: '-scheduledDateLocal' }),
    'list, one owner': list({ ownerUserIds: [userId] }),
    'list, one owner, bounded': list({ ownerUserIds: [userId], total: 'bounded' }),
    'preview, one owner': () =>
      must(api.call('savedViews', 'preview', { body: { filters: { ownerUserIds: [userId] } } })),
    counts: () => must(api.call('runs', 'counts')),
    'tasks across runs': tasks({}),
    'tasks across runs, one assignee': tasks({ assigneeId: userId }),
    'tasks across runs, one template': tasks({ templateId }),
    'tasks across runs, BLOCKED': tasks({ status: ['BLOCKED'] }),
    'tasks across runs, PENDING': tasks({ status: ['PENDING'] }),
    'tasks across runs, PENDING, bounded': tasks({ status: ['PENDING'], total: 'bounded' }),
    'tasks across runs, overdue': tasks({ overdue: true }),
    'tasks across runs, overdue, bounded': tasks({ overdue: true, total: 'bounded' }),
    'GET /runs/:id': (index) => must(api.call('runs', 'get', { params: { id: runIds[index % runIds.length] ?? '' } })),
    'launch of a run': (index) =>
      must(api.call('runs', 'launch', { body: { templateId, title: `Measured ${index}` } })),
  };
}
