import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry, type PrometheusContentType } from '@prometheus-io/client';
import { apiOf } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { createDatabase } from '@runward/testing/database';
import { newOrganization } from '@runward/testing/organization';
import { cheapPasswords } from '@runward/testing/passwords';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test from 'ava';
import { pino } from 'pino';
import { openDatabase } from '../../src/database/database.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { newId } from '../../src/ids.ts';
import { claimIdempotencyKey } from '../../src/limits/queries/stored-responses.ts';
import { createOrganization } from '../../src/organization/create-organization.ts';
import { Session } from '../../src/organization/entities/session.ts';
import { startScheduler } from '../../src/scheduler/scheduler.ts';
import { addPendingMetric } from '../../src/telemetry/backlog-metrics.ts';
import { prometheusMetrics } from '../../src/telemetry/prometheus.ts';

const app = useApp(test);

/** The value of one line, like `job_runs_total{job="x",outcome="failed"}`; null if there is no such line. */
function figure(text: string, line: string): number | null {
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? null : Number(found.slice(line.length + 1));
}

async function scrape(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
  return response.text();
}

const newRegistry = () => new Registry<PrometheusContentType>();

test.serial('requests are counted by operation, method and status, and timed', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  for (let n = 0; n < 3; n += 1) await org.api.call('templates', 'get', { params: { id: templateId } });
  await apiOf(app.baseUrl, null).call('templates', 'get', { params: { id: templateId } });
  await org.api.raw('GET', '/no/such/path');

  const line = 'http_requests_total{operation="templates.get",method="GET",status=';
  await until(async () => figure(await scrape(app.baseUrl), `${line}"401"}`) === 1, 'the count');
  const text = await scrape(app.baseUrl);
  t.is(figure(text, `${line}"200"}`), 3);
  t.is(figure(text, 'http_request_duration_seconds_count{operation="templates.get"}'), 4);
  t.true((figure(text, 'http_request_duration_seconds_sum{operation="templates.get"}') ?? 0) > 0);
  t.is(figure(text, 'http_requests_total{operation="unknown",method="GET",status="404"}'), 1);
  t.false(text.includes(templateId), 'ids would make a series each');
});

test.serial('metrics are Prometheus text, need no authentication, and are not part of the API', async (t) => {
  const response = await fetch(`${app.baseUrl}/metrics`);
  t.is(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  t.is((await apiOf(app.baseUrl, null).raw('POST', '/metrics')).status, 404);
  const { paths } = (await apiOf(app.baseUrl, null).raw('GET', '/openapi.json')).body as { paths: object };
  t.false('/metrics' in paths);
});

test.serial('webhook attempts are counted by outcome; pending deliveries are read from the database', async (t) => {
  const org = await newOrganization(app);
  await using receiver = await startReceiver((count) => (count === 1 ? 200 : 500));
  const { templateId } = await publishProcess(org.api);
  const body = { name: 'W', url: receiver.url, enabledEvents: ['run.started' as const] };
  await must(org.api.call('webhooks', 'create', { body }));
  const before = await scrape(app.baseUrl);
  t.is(figure(before, 'webhook_attempts_total{outcome="failed"}'), 0);

  for (let n = 0; n < 2; n += 1) await launchRun(org.api, templateId);
  await app.dispatcher.tick();
  const text = await scrape(app.baseUrl);
  t.is(figure(text, 'webhook_attempts_total{outcome="succeeded"}'), 1);
  t.is(figure(text, 'webhook_attempts_total{outcome="failed"}'), 1);
  t.is(figure(text, 'webhook_attempt_duration_seconds_count'), 2);
  t.is(figure(text, 'webhook_deliveries_pending'), 1);
});

test.serial('job runs are counted by outcome', async (t) => {
  const registry = newRegistry();
  const metrics = prometheusMetrics(registry);
  const fails = async () => {
    throw new Error('on purpose');
  };
  const scheduler = await startScheduler({
    databaseUrl: app.databaseUrl,
    log: pino({ level: 'silent' }),
    metrics,
    jobs: [
      { name: 'works', everySeconds: 60, run: async () => {} },
      { name: 'fails', everySeconds: 60, run: fails },
    ],
  });
  const count = async (line: string) => figure(await registry.metrics(), line);
  await until(async () => (await count('job_runs_total{job="fails",outcome="failed"}')) === 1, 'the failure');
  await until(async () => (await count('job_runs_total{job="works",outcome="succeeded"}')) === 1, 'the success');
  await scheduler.stop();
  t.is(await count('job_duration_seconds_count{job="works"}'), 1);
});

test('metrics omit pending deliveries while the database does not respond', async (t) => {
  const answers: (() => Promise<number>)[] = [
    async () => 7,
    () => Promise.reject(new Error('away')),
    () => new Promise(() => {}),
  ];
  const registry = newRegistry();
  addPendingMetric(registry, () => answers.shift()?.() ?? Promise.resolve(9));
  const pending = async () => figure(await registry.metrics(), 'webhook_deliveries_pending');
  t.is(await pending(), 7);
  t.is(await pending(), null);
  t.is(await pending(), null);
});

test('a service exports process metrics and purges old sessions and stored responses hourly', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const database = await openDatabase(url, { poolSize: 2 });
  t.teardown(() => database.close());
  const moment = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  await inTransaction(database, async (em) => {
    const settings = { name: 'Old', plan: 'ENTERPRISE' as const, timeZone: 'UTC', ownerEmail: 'old@example.com' };
    const { organizationId, ownerUserId: userId } = await createOrganization(em, cheapPasswords, settings);
    for (const expiresAt of [moment(-1), moment(1)]) {
      const now = new Date();
      const tokens = { tokenHash: Buffer.from(newId()), csrfToken: newId() };
      em.create(Session, {
        organizationId,
        id: newId(),
        userId,
        ...tokens,
        createdAt: now,
        lastSeenAt: now,
        expiresAt,
      });
    }
    await em.flush();
    const requestHash = Buffer.alloc(32);
    for (const key of ['old', 'new']) {
      await claimIdempotencyKey(em, { organizationId, callerId: userId, key, requestHash });
    }
    await em.execute("update idempotency_keys set created_at = now() - interval '25 hours' where key = 'old'");
  });

  const dataDir = mkdtempSync(join(tmpdir(), 'runward-metrics-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startServiceFor(t, dataDir, { DATABASE_URL: url });
  const done = (text: string, job: string) => figure(text, `job_runs_total{job="${job}",outcome="succeeded"}`) === 1;
  await until(async () => {
    const text = await scrape(service.baseUrl);
    return done(text, 'responses.purge') && done(text, 'sessions.purge');
  }, 'both jobs');
  const em = database.em.fork();
  t.is(await em.count(Session, {}), 1);
  t.deepEqual(await em.execute('select key from idempotency_keys'), [{ key: 'new' }]);

  const text = await scrape(service.baseUrl);
  t.true((figure(text, 'process_cpu_seconds_total') ?? 0) > 0);
  t.is(figure(text, 'webhook_deliveries_pending'), 0);
});
