import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { sign, verify } from '@runward/webhooks';
import test from 'ava';
import { newFolder, runCommand } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

interface Webhook {
  readonly id: string;
  readonly enabledEvents: string[];
}

test('webhooks are created for all or some events, listed and tested; the test delivery can be verified', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'A' }], { name: 'Onboarding' });
  await using good = await startReceiver(() => 204);
  await using bad = await startReceiver(() => 500);
  const all = await data<Webhook>(['webhooks', 'create', '--name', 'All', '--url', good.url]);
  t.is(all.enabledEvents.length, 9);
  const some = await data<Webhook>([
    'webhooks',
    'create',
    '--name',
    'Some',
    '--url',
    bad.url,
    '--event',
    'task.overdue,run.completed',
    '--event',
    'run.started',
    '--template',
    'Onboarding',
    '--description',
    'CRM',
    '--disabled',
  ]);
  t.like(some, {
    enabledEvents: ['run.started', 'run.completed', 'task.overdue'],
    enabled: false,
    templateMode: 'SELECTED_TEMPLATES',
    templateIds: [templateId],
    description: 'CRM',
  });
  const list = await runward(['webhooks', 'list', '-o', 'csv', '--fields', 'name,enabled']);
  t.is(list.stdout, 'name,enabled\nSome,false\nAll,true\n');

  const sent = await runward(['webhooks', 'test', all.id, '--event', 'run.completed']);
  t.is(sent.code, 0, sent.stderr);
  t.like(JSON.parse(sent.stdout), { event: 'run.completed', status: 'SUCCEEDED' });
  t.regex(sent.stderr, /^Delivered: 204 in \d+ ms\.\n$/);
  const [delivery] = good.received;
  if (!delivery) return t.fail('Nothing was delivered.');
  t.is((await verify(delivery.body, delivery.headers, { secret: org.signingSecret })).event, 'run.completed');

  const env = { RUNWARD_SIGNING_SECRET: org.signingSecret };
  const { 'x-flow-timestamp': timestamp, 'x-flow-signature': signature } = delivery.headers;
  const given = ['webhooks', 'verify', '--timestamp', String(timestamp), '--signature', String(signature)];
  const verified = await runCommand(given, { env, input: delivery.body });
  t.is(verified.code, 0, verified.stderr);
  t.deepEqual(JSON.parse(verified.stdout), JSON.parse(delivery.body));
  const changed = await runCommand([...given, '-o', 'json'], { env, input: `${delivery.body} ` });
  t.is(changed.code, 6);
  t.like(JSON.parse(changed.stderr), { error: 'signature_mismatch', exitCode: 6 });

  const failed = await runward(['webhooks', 'test', some.id]);
  t.is(failed.code, 1);
  t.regex(failed.stderr, /Not delivered: .*500\. The next attempt is at \d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z\./);
  const shown = await runward(['webhooks', 'test', some.id], { columns: 80 });
  t.regex(shown.stderr, /The next attempt is at \d{4}-\d\d-\d\d \d\d:\d\d\.\n$/);
});

test('webhooks create gives a webhook a secret of its own, which webhooks secret prints and rotate-secret replaces', async (t) => {
  const { runward } = await newWorkplace();
  const url = 'http://127.0.0.1:1/hook';
  const created = await runward(['webhooks', 'create', '--name', 'Own', '--url', url, '--own-secret', '-o', 'json']);
  t.like(JSON.parse(created.stdout), { ownSecret: true });
  const shown = await runward(['webhooks', 'secret', 'Own', '-o', 'json']);
  const { secret, previousSecret } = JSON.parse(shown.stdout) as Record<string, string | null>;
  t.is(previousSecret, null);
  const rotated = await runward(['webhooks', 'rotate-secret', 'Own', '--overlap-hours', '1', '-o', 'json']);
  t.like(JSON.parse(rotated.stdout), { previousSecret: secret });
  await runward(['webhooks', 'create', '--name', 'Plain', '--url', url]);
  const none = await runward(['webhooks', 'secret', 'Plain']);
  t.is(none.code, 6);
  t.regex(none.stderr, /set ownSecret to true first/);
});

test('webhooks create makes an ordered webhook, and webhooks update changes that', async (t) => {
  const { runward } = await newWorkplace();
  const url = 'http://127.0.0.1:1/hook';
  const created = await runward(['webhooks', 'create', '--name', 'Ledger', '--url', url, '--ordered', '-o', 'json']);
  t.like(JSON.parse(created.stdout), { ordered: true });
  const changed = await runward(['webhooks', 'update', 'Ledger', '--ordered', 'false', '-o', 'json']);
  t.like(JSON.parse(changed.stdout), { ordered: false }, changed.stderr);
});

test('webhooks create rejects an unknown event, and the service an invalid URL', async (t) => {
  const { runward } = await newWorkplace();
  const create = (...args: string[]) => runward(['webhooks', 'create', '--name', 'X', ...args]);
  const event = await create('--url', 'https://example.com', '--event', 'run.ended');
  t.is(event.code, 2);
  t.regex(event.stderr, /Unknown event run\.ended\. Choose from run\.started/);
  t.is((await create('--url', 'ftp://example.com')).code, 6);
  t.is((await create()).code, 2);
  t.is((await runward(['webhooks', 'test', 'first'])).code, 3);
});

test('webhooks sign prints headers for curl, and webhooks verify reads them from a file', async (t) => {
  const folder = await newFolder(t);
  const input = '{"event":"run.started","deliveryId":"d","timestamp":"2026-03-01T09:00:00Z","orgId":"o","data":{}}';
  const [secretFile, headersFile, jsonFile] = ['secret.txt', 'headers.txt', 'headers.json'].map((name) =>
    join(folder, name),
  );
  await writeFile(secretFile ?? '', 'whsec one\n');
  const signed = await runCommand(
    ['webhooks', 'sign', '--timestamp', '1767225600', '--secret-file', secretFile ?? ''],
    { input },
  );
  const headers = await sign(input, { secret: 'whsec one', timestamp: 1_767_225_600 });
  t.is(
    signed.stdout,
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  );

  await writeFile(headersFile ?? '', `HTTP/1.1 200 OK\r\n${signed.stdout.replaceAll('x-flow', 'X-Flow')}`);
  const env = { RUNWARD_SIGNING_SECRET: 'whsec one' };
  const old = await runCommand(['webhooks', 'verify', '--headers', headersFile ?? ''], { env, input });
  t.is(old.code, 6);
  t.regex(old.stderr, /s old, more than the 300 s allowed/);
  const fresh = await runCommand(['webhooks', 'sign', '-o', 'json'], { env, input });
  await writeFile(jsonFile ?? '', fresh.stdout);
  t.is((await runCommand(['webhooks', 'verify', '--headers', jsonFile ?? ''], { env, input })).code, 0);
  t.is((await runCommand(['webhooks', 'verify', '--headers', jsonFile ?? ''], { input })).code, 2);
  t.is((await runCommand(['webhooks', 'verify', '--timestamp', '1'], { env, input })).code, 2);
  for (const { stdout, stderr } of [signed, old, fresh]) t.false((stdout + stderr).includes('whsec'));
});
