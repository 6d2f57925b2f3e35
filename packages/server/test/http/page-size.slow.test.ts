import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { newSource } from '../support/data-sources.ts';

const pageBytes = 4_000;
const app = useApp(test, { limits: { pageBytes } });

interface Page {
  readonly data: readonly unknown[];
  readonly total?: number;
  readonly hasMore: boolean;
  readonly nextCursor?: string | null;
  readonly after?: string;
}

/**
 * Reads a list to its end and returns the sizes of its pages; its items must be all, and each page within the limit
 * unless it has one.
 */
async function walk(
  t: ExecutionContext,
  items: number,
  read: (cursor: object) => Promise<{ status: number; body: Page }>,
) {
  const sizes: number[] = [];
  for (let cursor: object = {}; sizes.length < 100;) {
    const page = await must<Page>(read(cursor));
    if (page.data.length > 1) t.true(JSON.stringify(page.data).length <= pageBytes * 1.5);
    sizes.push(page.data.length);
    if (!page.hasMore) break;
    cursor = page.after === undefined ? { cursor: page.nextCursor } : { after: page.after };
  }
  t.is(
    sizes.reduce((sum, size) => sum + size, 0),
    items,
  );
  t.true(sizes.length > 1);
  return sizes;
}

test('pages of rows and of their changes end before their limit when they are full, and the next ones follow', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Name', 'Note', { name: 'Order', type: 'NUMBER' }]);
  const { id, cells, column } = source;
  const rows = Array.from({ length: 9 }, (_, index) => ({
    Note: 'x'.repeat(index === 4 ? 6_000 : 1_000),
    ...(index % 2 === 0 && { Order: index }),
  }));
  const [rowId = ''] = await source.addRows(...rows);
  for (const sort of [undefined, column('Order'), `-${column('Order')}`]) {
    await walk(t, 9, (cursor) =>
      api.call('dataSources.rows', 'list', { params: { id }, query: { limit: 100, ...(sort && { sort }), ...cursor } }),
    );
  }
  for (const letter of 'abcdef') {
    const body = { cells: cells({ Note: letter.repeat(1_000) }) };
    await must(api.call('dataSources.rows', 'update', { params: { id, rowId }, body }));
  }
  await walk(t, 7, (query) => api.call('dataSources.rows', 'timeline', { params: { id, rowId }, query }));
});

test('pages of data sources end before their limit when their columns fill them', async (t) => {
  const { api } = await newOrganization(app);
  const columns = Array.from({ length: 40 }, (_, index) => `A column with a long name ${index}`);
  for (const name of ['One', 'Two', 'Three']) await newSource(api, columns, name);
  t.deepEqual(await walk(t, 3, (query) => api.call('dataSources', 'list', { query })), [1, 1, 1]);
});

test('pages of what happened in a run end before their limit when they are full', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId, fields } = await publishProcess(api, [
    { title: 'Log', repeatable: true, fields: [{ label: 'Text', type: 'LONG_TEXT' }], description: 'x'.repeat(2_000) },
    { title: 'Two', description: 'x'.repeat(2_000) },
    { title: 'Three', description: 'x'.repeat(2_000) },
  ]);
  const run = await launchRun(api, templateId);
  const { runTaskId } = run.byTitle('Log');
  const runTaskFieldId = fields['text']?.id ?? '';
  for (let entry = 0; entry < 6; entry += 1) {
    const values = [{ runTaskFieldId, value: 'x'.repeat(1_500) }];
    await must(api.call('execution', 'submitForm', { body: { runTaskId, values } }));
  }
  const { id } = run;
  await walk(t, 6, (query) => api.call('execution', 'entries', { params: { runTaskId }, query }));
  await walk(t, 30, (query) => api.call('runs', 'activity', { params: { id }, query }));
  await walk(t, 3, (query) => api.call('templates.tasks', 'list', { params: { id: templateId }, query }));
});

test('pages of events and of deliveries end before their limit when they are full', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const body = { name: 'All', url: 'http://127.0.0.1:9/', enabledEvents: ['run.started' as const] };
  const { id } = await must(api.call('webhooks', 'create', { body }));
  for (let run = 0; run < 16; run += 1) await launchRun(api, templateId, { title: 'x'.repeat(200) });
  await walk(t, 16, (query) => api.call('events', 'list', { query: { ...query, events: ['run.started'] } }));
  await walk(t, 16, (query) => api.call('webhooks', 'deliveries', { query }));
  await walk(t, 16, (query) => api.call('webhooks', 'webhookDeliveries', { params: { id }, query }));
});

test('pages of the audit log end before their limit when they are full', async (t) => {
  const org = await newOrganization(app);
  for (let index = 0; index < 5; index += 1) {
    const body = {
      name: `Webhook ${index}`,
      url: `http://127.0.0.1:9/${index}`,
      enabledEvents: ['run.started' as const],
      description: 'x'.repeat(1_500),
    };
    await must(org.api.call('webhooks', 'create', { body }));
  }
  const session = await org.session();
  const query = { action: 'webhook.created' as const, limit: 100 };
  await walk(t, 5, (cursor) => session.call('auditLog', 'list', { query: { ...query, ...cursor } }));
});
