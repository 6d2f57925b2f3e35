import { randomUUID } from 'node:crypto';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { haveFailed } from '@runward/testing/webhooks/failed-deliveries';
import test from 'ava';
import { useServer, type Workplace } from '../support/service.ts';
import { keys, onTerminal, openTerminal } from '../support/terminal.ts';

const { app, newWorkplace } = useServer(test);

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly event: string;
}

/** A webhook with failed deliveries, newest first. */
async function withFailures({ org, data }: Workplace, url: string, count: number) {
  const { templateId } = await publishProcess(org.api);
  const body = { name: 'Hook', url, enabledEvents: ['run.started' as const, 'run.cancelled' as const] };
  const { id } = await must(org.api.call('webhooks', 'create', { body }));
  const runs = [];
  for (let made = 1; made <= count; made += 1) {
    runs.push(await launchRun(org.api, templateId));
    await haveFailed(app, id, made);
  }
  const failures = () => data<Delivery[]>(['webhooks', 'deliveries', '--webhook', id, '--status', 'FAILED']);
  return { id, runs, failures };
}

test('deliveries are listed and filtered, and any of them can be resent', async (t) => {
  const work = await newWorkplace();
  let status = 500;
  await using receiver = await startReceiver(() => status);
  const { id, runs, failures } = await withFailures(work, receiver.url, 3);
  const failed = await failures();
  t.is(failed.length, 3);
  const [newest, , oldest] = failed;
  const list = (...args: string[]) => work.data<Delivery[]>(['webhooks', 'deliveries', ...args]);
  t.deepEqual(
    (await list('--limit', '1')).map((delivery) => delivery.id),
    [newest?.id],
  );
  t.deepEqual(await list('--event', 'run.cancelled'), []);
  t.deepEqual(await list('--webhook', randomUUID()), []);

  const resend = (...args: string[]) => work.runward(['webhooks', 'resend', id, ...args]);
  status = 410;
  const again = await resend(oldest?.id ?? '');
  t.is(again.code, 1);
  t.is(again.stderr, 'Not delivered: the receiver responded with 410.\n');
  await work.runward(['webhooks', 'enable', id]);
  status = 204;
  const sent = await resend(oldest?.id ?? '');
  t.is(sent.code, 0, sent.stderr);
  t.regex(sent.stderr, /^Delivered: 204 in \d+ ms\.\n$/);
  t.like(JSON.parse(sent.stdout), { id: oldest?.id, status: 'SUCCEEDED', attempts: { length: 3 } });
  t.is((await failures()).length, 2);

  // More than a page of deliveries is newer.
  const launch = () => must(work.org.api.call('runs', 'launch', { body: { templateId: runs[0]?.templateId ?? '' } }));
  for (let made = 0; made < 200; made += 20) await Promise.all(Array.from({ length: 20 }, launch));
  const beyondFirstPage = await resend(oldest?.id ?? '');
  t.is(beyondFirstPage.code, 0, beyondFirstPage.stderr);
  t.like(JSON.parse(beyondFirstPage.stdout), { id: oldest?.id, attempts: { length: 4 } });

  const unattempted = await resend(oldest?.id ?? '', '--wait', '0');
  t.is(unattempted.code, 1);
  t.is(unattempted.stderr, `Not attempted yet. Check again with: runward webhooks deliveries --webhook ${id}\n`);
  t.is((await resend(randomUUID())).code, 3);
  t.regex(
    (await resend('RUN-1')).stderr,
    /is not a delivery ID \(a UUID\)\. Find it with: runward webhooks deliveries/,
  );
  t.is((await work.runward(['webhooks', 'deliveries', '--status', 'LOST'])).code, 2);
});

test('webhooks replay counts or resends the failed deliveries of a period; without a terminal it needs --yes or --dry-run', async (t) => {
  const work = await newWorkplace();
  let works = false;
  await using receiver = await startReceiver(() => (works ? 204 : 500));
  const { id, failures } = await withFailures(work, receiver.url, 2);
  works = true;
  const args = ['webhooks', 'replay', id, '--from'];
  const asks = await work.runward([...args, '2h']);
  t.is(asks.code, 2);
  t.regex(asks.stderr, /Use --yes to resend the deliveries, or --dry-run to count them\./);
  const hour = (ago: number) => new Date(Date.now() - ago * 3_600_000).toISOString();
  const count = async (from: string, ...more: string[]) =>
    (await work.data<{ count: number }>([...args, from, '--dry-run', ...more])).count;
  const counts = [
    count('2h'),
    count(hour(1)),
    count('2020-01-01', '--to', '90m'),
    count('1d', '--event', 'run.cancelled'),
  ];
  t.deepEqual(await Promise.all(counts), [2, 2, 0, 0]);
  t.regex((await work.runward([...args, 'yesterday', '--dry-run'])).stderr, /a time ago like 90m, 2h or 3d/);
  t.is((await failures()).length, 2);

  const sent = await work.runward([...args, '1d', '--event', 'run.started', '--yes']);
  t.is(sent.code, 0, sent.stderr);
  t.deepEqual(JSON.parse(sent.stdout), { dryRun: false, count: 2 });
  t.regex(sent.stderr, /Check them with: runward webhooks deliveries --webhook/);
  await receiver.wait(4);
  t.is((await work.data<{ count: number }>([...args, '1d', '--yes'])).count, 0);
});

onTerminal('webhooks replay on a terminal asks for confirmation with the count', async (t) => {
  const work = await newWorkplace();
  let works = false;
  await using receiver = await startReceiver(() => (works ? 204 : 500));
  const { id, failures } = await withFailures(work, receiver.url, 2);
  works = true;
  const args = ['webhooks', 'replay', id, '--from', '1h'];
  const declining = openTerminal(t, args, { env: work.env });
  await declining.type('Resend 2 failed deliveries?', keys.enter);
  t.regex((await declining.end()).screen, /Nothing was sent\./);
  t.is((await failures()).length, 2);

  const agreeing = openTerminal(t, args, { env: work.env });
  await agreeing.type('Resend 2 failed deliveries?', 'y');
  t.regex((await agreeing.end()).screen, /^count +2\r?$/m);
  await receiver.wait(4);
  const done = openTerminal(t, args, { env: work.env });
  t.regex((await done.end()).screen, /No delivery failed in that period\./);
});
