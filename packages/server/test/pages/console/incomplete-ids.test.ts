import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { launchRun, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

test('an address or a form with an id that is empty or dots is rejected with what to do', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const { id, tasks } = await launchRun(org.api, templateId);
  const task = `/console/tasks/${tasks[0]?.runTaskId}`;
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const { csrf = '' } = fieldsOf((await client.get(task)).html);
  for (const odd of ['', '.', '..']) {
    const answers = await Promise.all([
      client.get(`${task}?entry=${odd}`),
      client.get(`/console/runs/bulk?action=archive&run=${odd}`),
      client.submit(task, { csrf, action: `remove:${odd}` }),
      client.submit(`/console/runs/${id}/change`, { csrf, do: 'unblock', task: odd }),
      client.submit(`/console/launch/${templateId}`, { csrf, once: `ü${odd}` }),
    ]);
    for (const { status, html } of answers) {
      t.is(status, 400, odd);
      t.regex(html, /Go back, reload the page, and try again/);
    }
  }
});
