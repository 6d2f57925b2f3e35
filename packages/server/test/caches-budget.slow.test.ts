import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';

const app = useApp(test);

test('versions with more bytes than the budget leave the cache, and their runs with them', async (t) => {
  const { api } = await newOrganization(app);
  const caches = app.database.em.shared((all) => all);
  const use = (name: string) => caches.use().find((each) => each.name === name) ?? { entries: 0, bytes: 0 };
  const tasks = Array.from({ length: 500 }, (_, index) => ({ title: `Task ${index}`, description: 'x'.repeat(2_000) }));
  let versions = 0;
  for (; versions < 40; versions += 1) {
    const { templateId } = await publishProcess(api);
    const params = { id: templateId };
    await must(api.call('templates.draft', 'replace', { params, body: { phases: [], tasks, variables: [] } }));
    await must(api.call('templates', 'publish', { params }));
    const { id } = await launchRun(api, templateId);
    await getRun(api, id);
    if (use('documents').entries < versions) break;
  }
  t.true(versions < 40, 'some version has left the cache');
  t.true(use('documents').bytes <= 24_000_000);
  t.true(use('runs').entries <= use('documents').entries);
  t.is((await must(api.call('runs', 'list', {}))).total, versions + 1);
});
