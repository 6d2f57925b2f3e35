import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';

const app = useApp(test);

test('comments that take long to render are shown as they were written, older ones first', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const { id } = await launchRun(org.api, templateId);
  const comment = (text: string) => must(org.api.call('runs.comments', 'create', { params: { id }, body: { text } }));
  await comment('**oldest**');
  for (let index = 0; index < 4; index += 1) await comment('a|b\n-|-\n'.repeat(1_000));
  await comment('**newest**');
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const { html } = await client.get(`/console/runs/${id}`);
  const shown = html.matchAll(/<div class="text"><(\w+)/g);
  t.deepEqual(
    [...shown].map(([, element]) => element),
    ['p', 'pre', 'pre', 'table', 'table', 'p'],
  );
});
