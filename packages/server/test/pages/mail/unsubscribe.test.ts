import { randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { unsubscribeToken } from '../../../src/notifications/unsubscribe-token.ts';
import { withoutSecrets } from '../../../src/telemetry/log.ts';
import { linesOf } from '../../support/audit.ts';

const app = useSharedApp(test);

/** The link of a mail to the owner of an organization. */
async function newLink(now = new Date()) {
  const org = await newOrganization(app);
  const { organizationId, ownerUserId: userId } = org;
  const unsubscribeKey = randomUUID();
  await app.provision.query(
    'insert into notification_cursors (organization_id, position, unsubscribe_key) values ($1, 0, $2)',
    [organizationId, unsubscribeKey],
  );
  const path = `/mail/unsubscribe/${unsubscribeToken({ organizationId, userId, unsubscribeKey }, now)}`;
  const session = await org.session();
  const choices = async () =>
    new Set<string>(Object.values((await must(session.call('me.notifications', 'get'))).kinds));
  return { org, path, choices };
}

test('the link of a mail asks first, and its button stops all mails without signing in', async (t) => {
  const { org, path, choices } = await newLink();
  const client = newClient(app);
  const asked = await client.get(path);
  t.is(asked.status, 200);
  t.true(asked.html.includes(`<form method="post" action="${path}">`), asked.html);
  t.deepEqual(await choices(), new Set(['AT_ONCE']));
  const done = await client.submit(path, {});
  t.is(done.status, 200);
  t.regex(done.html, /<h1>You get no more mails<\/h1>/);
  t.deepEqual(await choices(), new Set(['NEVER']));
  await client.submit(path, {});
  const lines = await linesOf(await org.session(), { action: 'user.notifications_updated' });
  t.is(lines.length, 1);
  t.like(lines[0], { actor: { type: 'ANONYMOUS' }, target: { id: org.ownerUserId } });
});

test('a mail program stops mails with one request, whatever kind of form it sends', async (t) => {
  for (const form of [new URLSearchParams(), new FormData()]) {
    const { path, choices } = await newLink();
    form.append('List-Unsubscribe', 'One-Click');
    const response = await fetch(app.baseUrl + path, {
      method: 'POST',
      body: form,
      headers: { origin: 'https://mail.example.com' },
    });
    t.is(response.status, 200);
    t.deepEqual(await choices(), new Set(['NEVER']));
  }
});

test('the log redacts the token of a link', async (t) => {
  const { path } = await newLink();
  t.is(withoutSecrets(`{"path":"${path}"}`), '{"path":"/mail/unsubscribe/[redacted]"}');
});

test('a token that was altered, is of another organization or is a year old leads nowhere', async (t) => {
  const { path, choices, org } = await newLink();
  const other = await newLink();
  const old = await newLink(new Date(Date.now() - 366 * 86_400_000));
  const foreign = path.replace(org.organizationId, other.org.organizationId);
  for (const wrong of [
    path.slice(0, -2),
    foreign,
    old.path,
    '/mail/unsubscribe/x',
    `/mail/unsubscribe/x.y.${org.organizationId}`,
  ]) {
    const client = newClient(app);
    t.is((await client.get(wrong)).status, 404, wrong);
    t.is((await client.submit(wrong, {})).status, 404, wrong);
  }
  t.deepEqual(await choices(), new Set(['AT_ONCE']));
});
