import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { formOf, withField } from '../../../support/form-of.ts';

const app = useSharedApp(test);
const url = 'http://127.0.0.1:1/hook';

async function webhookPage(settings: object = {}) {
  const { api, ownerEmail, ownerPassword } = await newOrganization(app);
  const body = { name: 'Payroll <b>', url, enabledEvents: ['run.started' as const], ...settings };
  const { id } = await must(api.call('webhooks', 'create', { body }));
  const client = newClient(app);
  await client.signIn(ownerEmail, ownerPassword);
  const path = `/console/webhooks/${id}`;
  return {
    client,
    path,
    get: async (page: string) => (await client.get(page)).html,
    secrets: () => must(api.call('webhooks', 'secret', { params: { id } })),
    rotate: async (hours: string) => {
      const form = formOf((await client.get(`${path}/secret`)).html, '/rotate');
      return client.submit(form.path, withField(form.fields, 'overlapHours', hours));
    },
  };
}

test('the form of a webhook gives it a secret of its own and takes it away', async (t) => {
  const { client, path, get, secrets } = await webhookPage();
  t.regex(await get(path), /Signed with[^]*the secret of the organization/);
  t.regex(await get(`${path}/secret`), /no secret of its own[^]*href="[^"]*\/edit"/);
  const edit = formOf(await get(`${path}/edit`), '/edit');
  t.is((await client.submit(edit.path, [...edit.fields, ['ownSecret', 'true']])).status, 303);
  t.true((await get(path)).includes(`href="${path}/secret"`));
  const { secret } = await secrets();
  t.true((await get(`${path}/secret`)).includes(`value="${secret}"`));
  t.false((await get(path)).includes(secret), 'only on its own page');

  const again = formOf(await get(`${path}/edit`), '/edit');
  t.true(again.fields.some(([name, value]) => name === 'ownSecret' && value === 'true'));
  await client.submit(
    again.path,
    again.fields.filter(([name]) => name !== 'ownSecret'),
  );
  t.regex(await get(path), /Signed with[^]*the secret of the organization/);
});

test('the secret of a webhook is rotated with an overlap, and without one only after a question', async (t) => {
  const { client, path, get, secrets, rotate } = await webhookPage({ ownSecret: true });
  const first = await secrets();
  t.regex(await get(`${path}/secret`), /<h1>Signing secret of Payroll &lt;b&gt;<\/h1>[^]*this webhook are signed/);
  const rejected = await rotate('169');
  t.is(rejected.status, 400);
  t.regex(rejected.html, /must be a whole number from 0 to 168/);
  t.deepEqual(await secrets(), first);

  const rotated = await rotate('2');
  t.deepEqual([rotated.status, rotated.headers.get('location')], [303, `${path}/secret?notice=rotated`]);
  const second = await secrets();
  t.is(second.previousSecret, first.secret);
  t.true((await get(`${path}/secret`)).includes(`datetime="${second.previousExpiresAt}"`));

  const question = await rotate('0');
  t.regex(question.html, /<h1>End the old secret at once\?<\/h1>/);
  t.true(question.html.includes(`href="${path}/secret"`));
  t.deepEqual(await secrets(), second, 'nothing has changed yet');
  const { path: to, fields } = formOf(question.html, '/rotate');
  t.is((await client.submit(to, fields)).status, 303);
  t.is((await secrets()).previousSecret, null);
});
