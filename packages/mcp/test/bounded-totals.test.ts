import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { connectHere } from './support/connect.ts';

const app = useApp(test, { limits: { countedItems: 2 } });

test('tools say that there are more records than were counted, or how many there are', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }]);
  const runs = Array.from({ length: 4 }, (_, index) => ({ templateId, title: `Order ${index}` }));
  await must(org.api.call('runs', 'bulkLaunch', { body: { runs } }));
  const mcp = await connectHere(t, { ...app, apiKey: org.apiKey });
  t.regex(await mcp.text('find_runs', { title: 'order', limit: 1 }), /1 of more than 2 runs\. For more,/);
  t.regex(await mcp.text('find_runs', { title: 'order', limit: 4 }), /4 runs\./);
  t.regex(await mcp.text('find_runs', { limit: 1 }), /1 of 4 runs\. For more,/);
  t.regex(await mcp.text('list_tasks', { limit: 1 }), /1 of more than 2 tasks\. For more,/);
});
