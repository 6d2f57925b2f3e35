import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { holdRow } from '../support/database/hold-row.ts';
import { countStatements } from '../support/database/statements.ts';

const app = useApp(test, { limits: { requestsInWork: 1, requestsWaiting: 1 }, timeBudgetMs: 1_000 });

test('a request whose response says that it took too long is in work until its statement ends', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  const release = await holdRow(app, 'runs', run.id);
  const late = await api.call('runs', 'update', { params: { id: run.id }, body: { title: 'Other' } });
  t.is(late.error.code, 'timed_out');
  const lists = [api.call('runs', 'list'), api.call('runs', 'list')];
  t.is((await Promise.race(lists)).status, 429);
  await release();
  // Either of them can arrive first.
  const statuses = (await Promise.all(lists)).map(({ status }) => status);
  t.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 429],
  );
});

test.serial('the key of a request whose body arrives with its headers is looked up once', async (t) => {
  const { api } = await newOrganization(app);
  const lookUps = countStatements('key_hash');
  await must(api.call('templates', 'create', { body: { name: 'Usual' } }));
  t.is(lookUps.stop(), 1);
});
