import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { connectTo } from '../support/database/connect.ts';
import { holdRow } from '../support/database/hold-row.ts';

const app = useApp(test);

test.serial('an organization whose requests all wait for the database leaves connections to others', async (t) => {
  const { api } = await newOrganization(app);
  const other = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  const release = await holdRow(app, 'runs', run.id);
  const rename = () => api.call('runs', 'update', { params: { id: run.id }, body: { title: 'Other' } });
  const renames = Array.from({ length: 20 }, rename);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const first = await Promise.race([other.api.call('runs', 'list').then(() => 'list'), Promise.race(renames)]);
  t.is(first, 'list');
  await release();
  t.true((await Promise.all(renames)).every(({ status }) => status === 200));
});

test.serial('a client that leaves an export cancels the query under way', async (t) => {
  const { api, apiKey } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  await launchRun(api, templateId);
  const exportCsv = (options: RequestInit = {}) =>
    fetch(`${app.baseUrl}/runs/export/csv`, { headers: { authorization: `Bearer ${apiKey}` }, ...options });
  const activity = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%"templateName"%'`;
  const waiting = async () => (await app.provision.query(activity, [])).length;
  const holder = await connectTo(t, app.databaseUrl);
  await holder.query('begin');
  await holder.query('lock table runs in access exclusive mode');
  const client = new AbortController();
  const response = exportCsv({ signal: client.signal });
  await until(async () => (await waiting()) === 1, 'the query');
  client.abort();
  await t.throwsAsync(response);
  await until(async () => (await waiting()) === 0, 'the end of the query');
  await holder.query('rollback');
  t.is((await exportCsv()).status, 200);
});
