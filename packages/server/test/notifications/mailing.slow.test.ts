import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSmtp } from '@runward/testing/mail/smtp';
import { must } from '@runward/testing/process';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test from 'ava';
import { connectToNew } from '../support/database/connect.ts';
import { launchFor } from '../support/mailing.ts';

test('a process that is killed while it sends a mail loses none, and another sends it with the same Message-ID', async (t) => {
  const { url, client } = await connectToNew(t);
  await using smtp = await startSmtp({ reply: (count) => (count === 1 ? 'drop' : 250), delayMs: 3_000 });
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-mail-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const start = async () => {
    const service = await startServiceFor(t, dataDir, {
      DATABASE_URL: url,
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Runward <runward@example.com>',
      BASE_URL: 'https://runward.example.com',
    });
    return service;
  };
  const first = await start();
  await until(async () => (await client.query('select from notification_cursors')).rowCount, 'the cursor');
  const api = first.api();
  const { data } = await must(api.call('users', 'list', {}));
  // The key belongs to the owner, who is not told of what it does.
  await client.query(
    `insert into users select organization_id, gen_random_uuid(), 'grace@example.com', 'Grace', 'MEMBER', 'ACTIVE', '', now() from users where id = $1`,
    [data[0]?.id],
  );
  const grace = (await must(api.call('users', 'list', { query: { email: 'grace@example.com' } }))).data[0];
  const run = await launchFor(api, grace?.id ?? '', 'Collect the documents');
  const hurry = 'update notifications set due_at = now()';
  await until(async () => (await client.query(hurry)).rowCount, 'the notification');
  await smtp.wait(1);
  first.child.kill('SIGKILL');
  await first.exited;
  t.is((await client.query('select from mails where lease_token is not null')).rowCount, 1);

  const second = await start();
  await client.query('update mails set next_attempt_at = now()');
  const [lost, sent] = await smtp.wait(2);
  t.is(lost?.headers.get('message-id'), sent?.headers.get('message-id'));
  t.is(sent?.to, 'grace@example.com');
  t.true(
    sent?.text.includes(`https://runward.example.com/console/tasks/${run.byTitle('Collect the documents').runTaskId}`),
  );
  const isSent = async () => (await client.query(`select from mails where status = 'SENT'`)).rowCount;
  await until(isSent, 'the result');
  t.is(smtp.mails.length, 2);
  second.child.kill('SIGTERM');
  t.is(await second.exited, 0);
});

test('a service without a mail server says once that it sends no mail', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-mail-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const { url } = await connectToNew(t);
  const service = await startServiceFor(t, dataDir, { DATABASE_URL: url });
  t.is(service.log().split('SMTP_URL is not set; no mail is sent').length, 2);
});
