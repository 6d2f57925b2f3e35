import { createHash, randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { connectTo } from '../support/database/connect.ts';

const app = useSharedApp(test);

const under = (key: string) => ({ 'idempotency-key': key });

test('a repeated request gets the stored response and changes nothing', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const send = (key: string) => api.raw('POST', '/runs', { body: { templateId }, headers: under(key) });
  const key = randomUUID();

  const first = await send(key);
  const again = await send(key);

  t.is(first.status, 201);
  t.is(first.headers.get('idempotency-replayed'), null);
  t.is(again.status, 201);
  t.is(again.headers.get('idempotency-replayed'), 'true');
  t.deepEqual(again.body, first.body);
  t.is((await must(api.call('runs', 'list'))).total, 1);
  t.is((await send(randomUUID())).status, 201);
  t.is((await must(api.call('runs', 'list'))).total, 2);
});

test('every write accepts an idempotency key, also one without a response body', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  const headers = under('cancel');
  const path = `/runs/${run.id}/cancel`;
  t.is((await api.raw('POST', path, { headers })).status, 200);
  t.is((await api.raw('POST', path, { headers })).status, 200);
  t.is((await api.raw('POST', path)).status, 400);
  const gone = await must(api.call('templates', 'create', { body: { name: 'Gone' } }));
  t.is((await api.raw('DELETE', `/templates/${gone.id}`, { headers: under('gone') })).status, 204);
  t.is((await api.raw('DELETE', `/templates/${gone.id}`, { headers: under('gone') })).status, 204);
  t.is((await api.raw('DELETE', `/templates/${gone.id}`)).status, 404);
});

test('an idempotency key belongs to one request and one caller', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const send = (name: string) => api.raw('POST', '/templates', { body: { name }, headers: under('same') });
  t.is((await send('One')).status, 201);
  const other = await send('Two');
  t.is(other.status, 400);
  t.is(other.error.code, 'idempotency_key_reused');
  t.regex(String(other.error.message), /^Idempotency-Key: already used for a different request/);
  t.is((await api.raw('POST', '/webhooks', { body: {}, headers: under('same') })).status, 400);

  const colleague = await org.key({ scopes: ['templates:write'] });
  const theirs = await colleague.raw('POST', '/templates', { body: { name: 'One' }, headers: under('same') });
  t.is(theirs.headers.get('idempotency-replayed'), null);
  t.is((await must(api.call('templates', 'list'))).total, 2);
});

test('a rejection is not stored: the same request succeeds once the state is corrected', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  const complete = () => api.raw('POST', `/runs/${run.id}/complete`, { headers: under('complete') });
  const status = { status: 'COMPLETED' as const };
  t.is((await complete()).status, 400);
  await must(
    api.call('runs.tasks', 'setStatus', { params: { taskId: run.byTitle('Only task').runTaskId }, body: status }),
  );
  await must(api.call('runs', 'reopen', { params: { id: run.id } }));
  t.is((await complete()).status, 200);
});

test('twenty parallel requests with the same idempotency key take effect once, for each of 25 keys', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const keys = Array.from({ length: 25 }, () => randomUUID());
  for (let from = 0; from < keys.length; from += 5) {
    await Promise.all(
      keys.slice(from, from + 5).flatMap((key) =>
        Array.from({ length: 20 }, async () => {
          const { status } = await api.raw('POST', '/runs', { body: { templateId }, headers: under(key) });
          t.is(status, 201);
        }),
      ),
    );
  }
  t.is((await must(api.call('runs', 'list'))).total, keys.length);
});

test('an idempotency key has 1 to 255 characters', async (t) => {
  const { api } = await newOrganization(app);
  for (const key of ['', 'x'.repeat(256)]) {
    const answer = await api.raw('POST', '/templates', { body: { name: 'x' }, headers: under(key) });
    t.is(answer.status, 400, key);
    t.regex(String(answer.error.message), /^Idempotency-Key: must be 1 to 255/);
  }
  t.is((await api.raw('POST', '/templates', { body: { name: 'x' }, headers: under('x'.repeat(255)) })).status, 201);
});

test('an idempotency key can be used again after 24 hours', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const send = () => api.raw('POST', '/templates', { body: { name: 'x' }, headers: under('old') });
  await send();
  const age = `update idempotency_keys set created_at = now() - interval '25 hours' where organization_id = $1`;
  await app.provision.query(age, [organizationId]);
  t.is((await send()).headers.get('idempotency-replayed'), null);
  t.is((await must(api.call('templates', 'list'))).total, 2);
});

test('a repetition gets a 429 while the first request with its idempotency key is in progress', async (t) => {
  const { api, organizationId, apiKeyId } = await newOrganization(app);
  const key = randomUUID();
  const first = await connectTo(t, app.databaseUrl);
  await first.query('begin');
  await first.query(
    `insert into idempotency_keys (organization_id, caller_id, key, request_hash, created_at) values ($1, $2, $3, '', now())`,
    [organizationId, apiKeyId, createHash('sha256').update(key).digest('hex')],
  );
  const send = () => api.raw('POST', '/templates', { body: { name: 'Once' }, headers: under(key) });
  const early = await send();
  t.is(early.status, 429);
  t.is(early.headers.get('retry-after'), '1');
  t.like(early.error, { retryAfter: 1 });
  t.regex(String(early.error.message), /still in progress; retry in a moment/);
  await first.query('rollback');
  t.is((await send()).status, 201);
  t.is((await must(api.call('templates', 'list'))).total, 1);
});
