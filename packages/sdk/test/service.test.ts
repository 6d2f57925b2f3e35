import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import test from 'ava';
import { createClient, isPermissionError } from '../src/index.ts';
import { errorOf } from './support/client.ts';

const app = useApp(test);

test('a PermissionError of the service names the missing scope', async (t) => {
  const organization = await newOrganization(app);
  const apiKey = await organization.plainKey({ scopes: ['runs:read'] });
  const runward = createClient({ baseUrl: app.baseUrl, apiKey });
  const error = await errorOf(runward.webhooks.list());
  t.true(isPermissionError(error));
  t.is(isPermissionError(error) && error.missingScope, 'webhooks:manage');
});

test('a list of the service is iterated over all pages, newest first', async (t) => {
  const { apiKey } = await newOrganization(app);
  const runward = createClient({ baseUrl: app.baseUrl, apiKey });
  for (const name of ['a', 'b', 'c']) await runward.templates.create({ name });
  const names: string[] = [];
  for await (const template of runward.templates.list({ limit: 2 })) names.push(template.name);
  t.deepEqual(names, ['c', 'b', 'a']);
});
