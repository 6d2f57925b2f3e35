import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { parse } from 'csv-parse/sync';

const app = useSharedApp(test);

const headers = [
  'id',
  'publicId',
  'title',
  'status',
  'templateId',
  'templateName',
  'ownerUserId',
  'ownerName',
  'scheduledDateLocal',
  'createdAt',
  'completedAt',
  'cancelledAt',
  'archivedAt',
  'updatedAt',
];

async function exportCsv({ apiKey }: TestOrganization, query = ''): Promise<Response> {
  return fetch(`${app.baseUrl}/runs/export/csv${query}`, { headers: { authorization: `Bearer ${apiKey}` } });
}

/** Stores copies of a run under new ids. */
async function copyRun({ organizationId }: TestOrganization, id: string, count: number): Promise<void> {
  await app.provision.query(
    `insert into runs
     select (jsonb_populate_record(run, jsonb_build_object('id', gen_random_uuid(), 'public_id', 'COPY-' || number))).*
     from runs run, generate_series(1, $1::int) number where run.id = $2`,
    [count, id],
  );
  await app.provision.fixCounters(organizationId);
}

async function rowsOf(response: Response): Promise<Record<string, string>[]> {
  return parse(await response.text(), { columns: true });
}

test('an export has the runs of the list with names next to ids, as RFC 4180', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }], { name: 'Checks, "yearly"' });
  const first = await launchRun(org.api, templateId, { title: 'One, two "three"', scheduledDateLocal: '2026-03-01' });
  await launchRun(org.api, templateId, { title: 'Später 后来' });
  await must(org.api.call('runs', 'cancel', { params: { id: first.id } }));

  const response = await exportCsv(org);
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.is(response.headers.get('content-disposition'), 'attachment; filename="runs.csv"');
  const text = await response.text();
  t.is(text.slice(0, text.indexOf('\r\n')), headers.join(','));
  t.true(text.endsWith('\r\n'));

  const { data } = await must(org.api.call('runs', 'list'));
  const { data: members } = await must(org.api.call('users', 'list'));
  const owner = members.find(({ id }) => id === data[0]?.ownerUserId)?.name;
  t.deepEqual(
    parse(text, { columns: true }),
    data.map((run) =>
      Object.assign(run, {
        completedAt: '',
        cancelledAt: run.cancelledAt ?? '',
        archivedAt: '',
        templateName: 'Checks, "yearly"',
        ownerName: owner,
      }),
    ),
  );
});

test('an export takes the filters of the list', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const other = await publishProcess(org.api);
  const cancelled = await launchRun(org.api, templateId, { scheduledDateLocal: '2026-03-01' });
  await must(org.api.call('runs', 'cancel', { params: { id: cancelled.id } }));
  const running = await launchRun(org.api, templateId);
  const elsewhere = await launchRun(org.api, other.templateId);
  const archived = await launchRun(org.api, templateId);
  await must(org.api.call('runs', 'cancel', { params: { id: archived.id } }));
  await must(org.api.call('runs', 'archive', { body: { runIds: [archived.id] } }));

  const idsOf = async (query: string) => (await rowsOf(await exportCsv(org, query))).map(({ id }) => id);
  t.deepEqual(await idsOf(''), [elsewhere.id, running.id, cancelled.id]);
  t.deepEqual(await idsOf('?status=CANCELLED'), [cancelled.id]);
  t.deepEqual(await idsOf(`?templateId=${templateId}`), [running.id, cancelled.id]);
  t.deepEqual(await idsOf('?scheduledDate=2026-03-01'), [cancelled.id]);
  t.deepEqual(await idsOf('?stalledForDays=0'), [elsewhere.id, running.id]);
  t.deepEqual(await idsOf('?archived=true'), [archived.id]);
  t.is((await exportCsv(org, '?limit=1')).status, 400);
});

test('an export without matching runs is the header line', async (t) => {
  const response = await exportCsv(await newOrganization(app));
  t.is(await response.text(), `${headers.join(',')}\r\n`);
});

test('text that a spreadsheet would take for a formula begins with an apostrophe', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, undefined, { name: '@SUM(A1)' });
  for (const title of ['=1+1', '+1', '-1', 'a=b']) await launchRun(org.api, templateId, { title });
  const rows = await rowsOf(await exportCsv(org));
  t.deepEqual(
    rows.map(({ title }) => title),
    ['a=b', "'-1", "'+1", "'=1+1"],
  );
  t.is(rows[0]?.['templateName'], "'@SUM(A1)");
});

test('a restricted key exports runs in its resource scope only', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const other = await publishProcess(org.api);
  const inside = await launchRun(org.api, templateId);
  await launchRun(org.api, other.templateId);
  const key = await org.key({
    scopes: ['runs:read'],
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [templateId],
  });
  const response = await key.raw('GET', '/runs/export/csv');
  t.is(response.status, 200);
  const rows: Record<string, string>[] = parse(String(response.body), { columns: true });
  t.deepEqual(
    rows.map(({ id }) => id),
    [inside.id],
  );
});

test('more runs than fit into one batch are exported once each', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const { id } = await launchRun(org.api, templateId);
  await copyRun(org, id, 2_100);
  const rows = await rowsOf(await exportCsv(org));
  t.is(rows.length, 2_101);
  t.is(new Set(rows.map((row) => row['id'])).size, 2_101);
});
