import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '@runward/testing/api';
import { newDataFolder } from '@runward/testing/data-folder';
import { createDatabase } from '@runward/testing/database';
import { startSmtp } from '@runward/testing/mail/smtp';
import { freePort } from '@runward/testing/ports';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { createLink } from '../support/form-links.ts';
import { startCollector, type ExportedSpan } from '../support/world/collector.ts';

async function start(t: ExecutionContext, env: Record<string, string>) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const folder = await newDataFolder();
  t.teardown(() => folder[Symbol.asyncDispose]());
  const service = await startServiceFor(t, folder.path, { DATABASE_URL: url, WEBHOOK_ALLOW_LOCAL: 'true', ...env });
  const credentials = JSON.parse(readFileSync(join(folder.path, 'credentials.json'), 'utf8')) as Credentials;
  return { ...service, credentials };
}

interface Credentials {
  readonly apiKey: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  readonly signingSecret: string;
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentSpanId = '00f067aa0ba902b7';
const traceparent = (flags: string) => ({ traceparent: `00-${traceId}-${parentSpanId}-${flags}` });

const named = (name: string) => (span: ExportedSpan) => span.name === name;

/** The lines of a log, each as its properties. */
const linesOf = (log: string) =>
  log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));

test.serial('requests, transactions, jobs, deliveries and mails have spans, and no secret is in them', async (t) => {
  await using collector = await startCollector();
  await using receiver = await startReceiver();
  await using smtp = await startSmtp({ password: 'mail-password' });
  await using folder = await newDataFolder();
  const headersFile = join(folder.path, 'headers');
  await writeFile(headersFile, 'x-key=of%20the%20collector\n');
  const { baseUrl, credentials, ...service } = await start(t, {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'runward@example.com',
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.baseUrl}/`,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: headersFile,
    OTEL_SERVICE_NAME: 'runward-test',
  });
  const api = service.api();
  const secretUrl = `${receiver.url}/receiver-secret?token=receiver-token`;
  const hook = { name: 'Hook', url: secretUrl, enabledEvents: ['run.started' as const] };
  const { id: webhookId } = await must(api.call('webhooks', 'create', { body: hook }));
  const { templateId, fields } = await publishProcess(api, [
    { title: 'Bank', fields: [{ key: 'iban', label: 'IBAN', type: 'TEXT' }] },
    { title: 'Contract' },
  ]);
  const run = await launchRun(api, templateId);
  const taskId = run.byTitle('Bank').runTaskId;
  const values = [{ runTaskFieldId: fields['iban']?.id ?? '', value: 'DE89-a-value' }];
  await must(api.call('execution', 'submitForm', { body: { runTaskId: taskId, values } }));
  const { url: linkUrl } = await must(
    createLink(api, run.byTitle('Contract').runTaskId, { email: 'guest@supplier.example' }),
  );
  await smtp.wait(1);
  const { pathname: linkPath } = new URL(linkUrl);
  t.is((await fetch(`${baseUrl}${linkPath}?q=query-secret`)).status, 200);
  t.is((await fetch(`${baseUrl}/nowhere${linkPath}`)).status, 404);
  const { ownerEmail, ownerPassword, apiKey, signingSecret } = credentials;
  const owner = await signIn(baseUrl, ownerEmail, ownerPassword);
  t.is((await owner.raw('GET', '/console/tasks')).status, 200);
  t.is((await api.raw('GET', `/runs/${run.id}?at=never`, { headers: traceparent('01') })).status, 400);
  const [request] = await receiver.wait(1);

  const read = await collector.span('a request', (span) => span.traceId === traceId);
  t.like(read, { name: 'GET /runs/:id', kind: 2, parentSpanId });
  t.like(read.attributes, {
    'http.request.method': 'GET',
    'http.route': '/runs/:id',
    'url.path': `/runs/${run.id}`,
    'url.scheme': 'http',
    'http.response.status_code': 400,
    'runward.operation': 'runs.get',
  });
  t.not(read.status.code, 2);

  for (const [request, step] of [
    ['POST /webhooks', 'transaction'],
    ['POST /runs', 'handler'],
  ] as const) {
    const whole = await collector.span(request, named(request));
    const part = await collector.span(step, (span) => span.parentSpanId === whole.spanId);
    t.like(part, { name: step, kind: 1, traceId: whole.traceId });
  }
  const link = await collector.span('the form link', ({ name }) => name.startsWith('GET /sign-in/form/'));
  t.is(link.attributes['url.path'], link.attributes['http.route']);
  const lost = await collector.span('an unknown path', named('GET'));
  t.is(lost.attributes['url.path'], undefined);

  const delivery = await collector.span('the delivery', named('POST webhook'));
  t.is(request?.headers['traceparent'], `00-${delivery.traceId}-${delivery.spanId}-01`);
  t.is(delivery.parentSpanId, undefined);
  t.is(delivery.kind, 3);
  t.like(delivery.attributes, {
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
    'runward.webhook.id': webhookId,
    'runward.delivery.id': request?.headers['webhook-id'] ?? '',
  });
  t.is(delivery.attributes['url.full'], undefined);

  const job = await collector.span('a job', named('job runs.sync-rules'));
  t.is(job.parentSpanId, undefined);
  const made = await collector.span('the request that mailed', ({ attributes }) =>
    String(attributes['runward.operation']).endsWith('.createFormLink'),
  );
  t.like(await collector.span('the mail', named('send mail')), { kind: 3, traceId: made.traceId });
  const page = await collector.span('a page', named('GET /console/tasks'));
  const inside = await collector.span('a request of the page', ({ parentSpanId: id }) => id === page.spanId);
  t.is(inside.kind, 2);

  service.child.kill('SIGTERM');
  t.is(await service.exited, 0);
  t.true(
    collector.received.every(({ url, headers }) => url === '/v1/traces' && headers['x-key'] === 'of the collector'),
  );
  const exported = collector.received.map(({ body }) => body).join('\n');
  t.true(exported.includes('runward-test'));
  t.false(exported.includes('/health/'));
  const formLink = linkUrl.slice(linkUrl.lastIndexOf('/') + 1);
  t.regex(formLink, /^formlink_/);
  for (const secret of [
    apiKey,
    ownerEmail,
    ownerPassword,
    signingSecret,
    formLink,
    'mail-password',
    'of the collector',
  ]) {
    t.false(exported.includes(secret), secret);
  }
  t.notRegex(exported, /sk_live_|formlink_|receiver-(?:secret|token)|query-secret|a-value|supplier\.example/);

  const lines = linesOf(service.log());
  t.like(
    lines.find((line) => line['path'] === `/runs/${run.id}` && line['status'] === 400),
    { traceId, msg: 'request' },
  );
  t.is(lines.find(({ msg }) => String(msg).startsWith('Runward listening'))?.['traceId'], undefined);
});

test.serial('a trace that is not exported is named to receivers, and in the log if a caller began it', async (t) => {
  await using collector = await startCollector();
  await using receiver = await startReceiver();
  const service = await start(t, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.baseUrl}/own/path`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  const api = service.api();
  const hook = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const] };
  await must(api.call('webhooks', 'create', { body: hook }));
  await launchRun(api, (await publishProcess(api)).templateId);
  const [request] = await receiver.wait(1);
  t.regex(request?.headers['traceparent']?.toString() ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  await api.raw('GET', '/runs', { headers: traceparent('01') });
  await api.raw('GET', '/templates', { headers: traceparent('00') });
  service.child.kill('SIGTERM');
  t.is(await service.exited, 0);
  t.deepEqual(new Set(collector.spans().map((span) => span.traceId)), new Set([traceId]));
  t.true(collector.spans().some(named('GET /runs')));
  t.true(collector.received.every(({ url }) => url === '/own/path'));
  const requests = linesOf(service.log()).filter(({ msg }) => msg === 'request');
  t.true(requests.length > 4);
  const ofCallers = requests.filter((line) => line['traceId'] !== undefined);
  t.deepEqual(
    ofCallers.map((line) => [line['path'], line['traceId']]),
    [
      ['/runs', traceId],
      ['/templates', traceId],
    ],
  );
});

test.serial('a service whose receiver of traces is down works, says so once, and stops in time', async (t) => {
  const service = await start(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
  });
  const api = service.api();
  const isReported = () => service.log().includes('could not export traces');
  await until(async () => (await must(api.call('runs', 'list'))) && isReported(), 'the warning');
  await must(api.call('runs', 'list'));
  service.child.kill('SIGTERM');
  t.is(await service.exited, 0);
  const lines = linesOf(service.log());
  const timeOf = (start: string) => Number(lines.find(({ msg }) => String(msg).startsWith(start))?.['time']);
  const stoppingMs = timeOf('stopped') - timeOf('SIGTERM received');
  t.true(stoppingMs < 6_000, `${stoppingMs} ms`);
  const warnings = lines.filter(({ msg }) => String(msg).startsWith('could not export traces'));
  t.is(warnings.length, 1);
  t.is(warnings[0]?.['traceId'], undefined);
});

test.serial(
  'without a receiver of traces, nothing is sent to webhooks or written to the log about traces',
  async (t) => {
    await using receiver = await startReceiver();
    const service = await start(t, { OTEL_SERVICE_NAME: 'runward-test' });
    const api = service.api();
    const hook = { name: 'Hook', url: receiver.url, enabledEvents: ['run.started' as const] };
    await must(api.call('webhooks', 'create', { body: hook }));
    await launchRun(api, (await publishProcess(api)).templateId);
    await api.raw('GET', '/runs', { headers: traceparent('01') });
    const [request] = await receiver.wait(1);
    t.is(request?.headers['traceparent'], undefined);
    service.child.kill('SIGTERM');
    t.is(await service.exited, 0);
    t.notRegex(service.log(), /traceId|could not export/);
  },
);
