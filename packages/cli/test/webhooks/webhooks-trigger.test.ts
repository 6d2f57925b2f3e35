import { startReceiver } from '@runward/testing/receiver';
import { haveFailed } from '@runward/testing/webhooks/failed-deliveries';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { app, newWorkplace } = useServer(test);

interface Line {
  readonly webhookName: string;
  readonly event: string;
  readonly status: string;
  readonly lastResult: number | string;
  readonly attemptCount: number;
}

test('webhooks trigger sends a test event to enabled subscribers or to named webhooks, and deliveries say how it went', async (t) => {
  const { data, runward } = await newWorkplace();
  await using good = await startReceiver(() => 204);
  await using bad = await startReceiver(() => 503);
  const create = (name: string, url: string, event: string) =>
    data<{ id: string }>(['webhooks', 'create', '--name', name, '--url', url, '--event', event]);
  await create('CRM', good.url, 'run.completed');
  const payroll = await create('Payroll', bad.url, 'task.overdue');

  const [sent, ...others] = await data<Line[]>(['webhooks', 'trigger', 'run.completed']);
  t.deepEqual(others, []);
  t.like(sent, { webhookName: 'CRM', event: 'run.completed', status: 'SUCCEEDED', lastResult: 204, attemptCount: 1 });
  t.like(JSON.parse(good.received[0]?.body ?? ''), { event: 'run.completed', data: { test: true } });

  const failed = await runward(['webhooks', 'trigger', 'TASK.overdue', '--webhook', 'Payroll', '--webhook', 'CRM']);
  t.is(failed.code, 1);
  t.deepEqual(
    (JSON.parse(failed.stdout) as Line[]).map(({ webhookName, lastResult }) => [webhookName, lastResult]),
    [
      ['Payroll', 503],
      ['CRM', 204],
    ],
  );
  await haveFailed(app, payroll.id, 1);
  const table = await runward([
    'webhooks',
    'deliveries',
    '--webhook',
    'Payroll',
    '-o',
    'csv',
    '--fields',
    'webhookName,status,lastResult',
  ]);
  t.is(table.stdout, 'webhookName,status,lastResult\nPayroll,FAILED,503\n');

  t.like(await data(['webhooks', 'disable', 'CRM']), { enabled: false });
  const none = await runward(['webhooks', 'trigger', 'run.completed']);
  t.is(none.code, 3);
  t.regex(none.stderr, /No enabled webhook subscribes to run\.completed\. Name one with --webhook/);
  t.like(await data(['webhooks', 'enable', 'CRM']), { enabled: true });
  t.is((await runward(['webhooks', 'trigger', 'run.ended'])).code, 2);
  t.regex((await runward(['webhooks', 'get', 'CRN'])).stderr, /No webhook is named "CRN"\. Did you mean "CRM"\?/);
});
