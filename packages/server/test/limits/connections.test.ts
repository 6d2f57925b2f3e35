import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { holdRow } from '../support/database/hold-row.ts';

const app = useApp(test);

test('an organization whose requests all wait for the database leaves connections to others', async (t) => {
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
