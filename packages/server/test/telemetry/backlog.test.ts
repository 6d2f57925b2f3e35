import { Registry, type PrometheusContentType } from '@prometheus-io/client';
import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { inTransaction } from '../../src/database/transaction.ts';
import { readBacklog } from '../../src/monitoring/create-metrics.ts';
import { addBacklogMetrics, atMostEvery, type Backlog } from '../../src/telemetry/backlog-metrics.ts';
import { openForm } from '../support/files.ts';

const app = useApp(test);

const backlog = () => inTransaction(app.database, readBacklog);
const execute = (text: string) => app.database.em.fork().execute(text);
const isAbout = (seconds: number, expected: number) => seconds >= expected && seconds < expected + 60;

test('the backlog says how late deliveries, overdue detection and the feed are, and how many files wait', async (t) => {
  t.deepEqual(await backlog(), { deliverySeconds: 0, overdueSeconds: 0, feedSeconds: 0, scans: 0 });
  await using receiver = await startReceiver(() => 500);
  const form = await openForm(app);
  const { api } = form.org;
  const body = { name: 'W', url: receiver.url, enabledEvents: ['task.completed' as const] };
  const webhook = await must(api.call('webhooks', 'create', { body }));
  await must(form.upload('papers', 'text'));
  await must(
    api.call('runs.tasks', 'setStatus', { params: { taskId: form.runTaskId }, body: { status: 'COMPLETED' } }),
  );
  await app.dispatcher.tick();
  const fresh = await backlog();
  t.is(fresh.deliverySeconds, 0, 'its next attempt is in the future');
  t.true(isAbout(fresh.feedSeconds, 0) && fresh.feedSeconds > 0);

  await execute(`update webhook_deliveries set next_attempt_at = now() - interval '90 s'`);
  await execute(`update runs set next_deadline_at = now() - interval '1 hour'`);
  await execute(`update events set created_at = now() - interval '5 min'`);
  await execute(`update files set scan_status = 'PENDING', next_attempt_at = now()`);
  const late = await backlog();
  t.true(isAbout(late.deliverySeconds, 90), String(late.deliverySeconds));
  t.true(isAbout(late.overdueSeconds, 3_600), String(late.overdueSeconds));
  t.true(isAbout(late.feedSeconds, 300), String(late.feedSeconds));
  t.is(late.scans, 1);

  await must(api.call('webhooks', 'update', { params: { id: webhook.id }, body: { ...body, enabled: false } }));
  t.is((await backlog()).deliverySeconds, 0, 'deliveries of a disabled webhook are not due');
  await execute(`update events set position = 1`);
  await execute(`update runs set next_deadline_at = now() + interval '1 hour'`);
  await execute(`update files set next_attempt_at = now() + interval '1 min'`);
  t.deepEqual(await backlog(), { deliverySeconds: 0, overdueSeconds: 0, feedSeconds: 0, scans: 0 });
});

test('what is read at most once per period is read again by the first caller after it', async (t) => {
  let now = 0;
  let reads = 0;
  const read = atMostEvery(
    5_000,
    async () => {
      reads += 1;
      if (reads === 2) throw new Error('away');
      return reads;
    },
    () => now,
  );
  t.deepEqual(await Promise.all([read(), read()]), [1, 1]);
  now = 4_999;
  t.is(await read(), 1);
  now = 5_000;
  await t.throwsAsync(read(), { message: 'away' });
  now = 9_999;
  await t.throwsAsync(read(), { message: 'away' });
  now = 10_000;
  t.is(await read(), 3);
});

test('metrics omit the backlog while the database does not respond', async (t) => {
  const found: Backlog = { deliverySeconds: 1.5, overdueSeconds: 2, feedSeconds: 3, scans: 4 };
  let read = async () => found;
  const registry = new Registry<PrometheusContentType>();
  addBacklogMetrics(registry, () => read());
  const lines = async () => (await registry.metrics()).split('\n').filter((line) => /^\w/.test(line));
  const all = [
    'webhook_delivery_lag_seconds 1.5',
    'overdue_detection_lag_seconds 2',
    'event_placement_lag_seconds 3',
    'file_scans_waiting 4',
  ];
  t.deepEqual(await lines(), all);
  read = () => Promise.reject(new Error('away'));
  t.deepEqual(await lines(), []);
  read = () => new Promise(() => {});
  t.deepEqual(await lines(), []);
  read = async () => found;
  t.deepEqual(await lines(), all);
});
