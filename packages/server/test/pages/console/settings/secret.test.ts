import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { formOf, withField } from '../../../support/form-of.ts';

const app = useSharedApp(test);
const page = '/console/secret';

async function administrator() {
  const org = await newOrganization(app);
  const session = await org.session();
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  return {
    client,
    /** The secrets as the API returns them. */
    secrets: () => must(session.call('organization', 'signingSecret')),
    html: async () => (await client.get(page)).html,
    rotate: async (hours: string) => {
      const { path, fields } = formOf((await client.get(page)).html, '/rotate');
      return client.submit(path, withField(fields, 'overlapHours', hours));
    },
  };
}

test('an administrator sees the secret, rotates it with an overlap and then without one', async (t) => {
  const { client, secrets, html, rotate } = await administrator();
  const first = await secrets();
  t.true((await html()).includes(`id="secret"`) && (await html()).includes(`value="${first.secret}"`));
  t.regex(await html(), /<details>\s*<summary>Show the secret<\/summary>[^]*value="24"/);
  t.is((await client.get('/docs/guides/verify-webhooks.md')).status, 200, 'the guide that the page links to');

  const rotated = await rotate('48');
  t.deepEqual([rotated.status, rotated.headers.get('location')], [303, `${page}?notice=rotated`]);
  const second = await secrets();
  t.is(second.previousSecret, first.secret);
  t.true((await html()).includes(`value="${second.secret}"`) && (await html()).includes(`value="${first.secret}"`));
  t.true((await html()).includes(`datetime="${second.previousExpiresAt}"`));

  const question = await rotate('0');
  t.is(question.status, 200);
  t.regex(question.html, /<h1>End the old secret at once\?<\/h1>[^]*rejects deliveries at once/);
  t.deepEqual(await secrets(), second, 'nothing has changed yet');
  const { path, fields } = formOf(question.html, '/rotate');
  t.is((await client.submit(path, fields)).status, 303);
  const third = await secrets();
  t.deepEqual([third.previousSecret, third.previousExpiresAt], [null, null]);
  t.false([first.secret, second.secret].includes(third.secret));
});

test('hours that are no whole number up to 168 are rejected beside the field, and nothing changes', async (t) => {
  const { secrets, rotate } = await administrator();
  const before = await secrets();
  for (const hours of ['', '169', '-1', '1.5', '<b>', ' ']) {
    const { status, html } = await rotate(hours);
    t.is(status, 400, hours);
    t.regex(html, /href="#overlapHours"[^]*must be a whole number from 0 to 168[^]*aria-invalid="true"/, hours);
    t.true(html.includes(`value="${hours.replace('<b>', '&lt;b&gt;')}"`), hours);
  }
  t.deepEqual(await secrets(), before);
});

test('a second rotation during an overlap says why it is rejected', async (t) => {
  const { client, secrets, html, rotate } = await administrator();
  await rotate('24');
  const before = await secrets();
  const { csrf = '' } = fieldsOf(await html());
  const { status, html: again } = await client.submit(`${page}/rotate`, { csrf, overlapHours: '24' });
  t.is(status, 400);
  t.regex(again, /There is a problem[^]*The previous secret is valid until/);
  t.is((await client.submit(`${page}/rotate`, { csrf: 'x', overlapHours: '0', confirmed: 'yes' })).status, 403);
  t.deepEqual(await secrets(), before);
});
