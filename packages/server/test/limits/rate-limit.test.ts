import { apiOf } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { until } from '@runward/testing/until';
import test from 'ava';

const app = useApp(test, { writesPerMinute: 5, readsPerMinute: 10 });

test('reads and writes are counted exactly and separately per key, and headers state what remains', async (t) => {
  const org = await newOrganization(app);
  const other = await org.key({ scopes: ['runs:read'] });

  const start = Date.now() / 1000;
  const reads = await Promise.all(Array.from({ length: 15 }, () => org.api.raw('GET', '/runs')));
  t.is(reads.filter(({ status }) => status === 200).length, 10);
  const rejected = reads.filter(({ status }) => status === 429);
  t.is(rejected.length, 5);
  await until(async () => {
    const metrics = await (await fetch(`${app.baseUrl}/metrics`)).text();
    const [, counted] = /^rate_limit_rejections_total\{code="rate_limited"\} (\d+)$/m.exec(metrics) ?? [];
    // Other tests of this file may have caused more.
    return Number(counted) >= 5;
  }, 'the count of rejections');
  for (const { error, headers } of rejected) {
    const wait = Number(headers.get('retry-after'));
    t.true(wait >= 1 && wait <= 60);
    t.like(error, { statusCode: 429, error: 'Too Many Requests', code: 'rate_limited', retryAfter: wait });
    t.is(headers.get('x-ratelimit-remaining'), '0');
  }
  t.deepEqual(
    reads
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
      .sort((a, b) => b - a),
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  );
  const reset = Number(reads[0]?.headers.get('x-ratelimit-reset'));
  t.true(reset >= start + 59 && reset <= Date.now() / 1000 + 61);
  t.is(reads[0]?.headers.get('x-ratelimit-limit'), '10');

  const write = await org.api.raw('POST', '/templates', { body: {} });
  t.is(write.status, 400);
  t.is(write.headers.get('x-ratelimit-limit'), '5');
  t.is(write.headers.get('x-ratelimit-remaining'), '4');
  const put = await org.api.raw('PUT', '/templates/01900000-0000-7000-8000-000000000001', { body: {} });
  t.is(put.headers.get('x-ratelimit-remaining'), '3');
  t.is((await other.raw('GET', '/runs')).status, 200);
});

test('sessions are counted one by one with the limits of a key, apart from keys', async (t) => {
  const org = await newOrganization(app);
  const [one, other] = [await org.session(), await org.session()];
  const remaining = async (api: typeof one, path: string) =>
    Number((await api.raw('GET', path)).headers.get('x-ratelimit-remaining'));
  t.deepEqual(await Promise.all([remaining(one, '/runs'), remaining(other, '/users')]), [9, 9]);
  t.is(await remaining(one, '/organization'), 8);
  t.is(await remaining(org.api, '/runs'), 9);
  for (let left = 7; left >= 0; left -= 1) t.is(await remaining(one, '/auth/session'), left);
  t.is((await one.raw('GET', '/runs')).status, 429);
  t.is((await other.raw('GET', '/runs')).status, 200);
  const withoutToken = { headers: { 'x-service-csrf': '' } };
  const forged = await other.raw('POST', '/templates', withoutToken);
  t.deepEqual([forged.status, forged.headers.get('x-ratelimit-remaining')], [403, '5']);
});

test('requests that match no endpoint count, and those with invalid credentials state that of an unused key', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  const seen = async (api: typeof session, method: string, path: string) => {
    const { status, headers } = await api.raw(method, path);
    return [status, headers.get('x-ratelimit-remaining'), headers.get('allow')];
  };
  t.deepEqual(await seen(org.api, 'GET', '/nowhere'), [404, '9', null]);
  t.deepEqual(await seen(org.api, 'GET', '/%'), [404, '8', null]);
  t.deepEqual(await seen(org.api, 'GET', '/api-keys'), [401, '7', null]);
  t.deepEqual(await seen(org.api, 'OPTIONS', '/runs'), [405, '6', 'GET, HEAD, POST']);
  t.deepEqual(await seen(org.api, 'DELETE', '/runs'), [405, '4', 'GET, HEAD, POST']);
  t.deepEqual(await seen(org.api, 'POST', '/folders/1/'), [405, '3', 'GET, HEAD, PATCH, DELETE']);
  t.deepEqual(await seen(session, 'GET', '/nowhere'), [404, '9', null]);
  for (let left = 2; left >= 0; left -= 1) t.deepEqual(await seen(org.api, 'PUT', '/nowhere'), [404, `${left}`, null]);
  t.deepEqual(await seen(org.api, 'PUT', '/nowhere'), [429, '0', null]);
  for (const key of [null, 'sk_live_x']) {
    t.deepEqual(await seen(apiOf(app.baseUrl, key), 'GET', '/runs'), [401, '10', null]);
    t.deepEqual(await seen(apiOf(app.baseUrl, key), 'GET', '/health/live'), [200, '10', null]);
    t.deepEqual(await seen(apiOf(app.baseUrl, key), 'GET', '/nowhere'), [404, '10', null]);
    t.deepEqual(await seen(apiOf(app.baseUrl, key), 'PUT', '/runs'), [405, '5', 'GET, HEAD, POST']);
  }
});
