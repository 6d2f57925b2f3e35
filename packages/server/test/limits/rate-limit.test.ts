import test from 'ava';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';

const app = useApp(test, { writesPerMinute: 5, readsPerMinute: 10 });

test('reads and writes are counted exactly and separately per key, and headers state what remains', async (t) => {
  const org = await newOrganization(app);
  const other = await org.key({ scopes: ['runs:read'] });

  const reads = await Promise.all(Array.from({ length: 15 }, () => org.api.raw('GET', '/runs')));
  t.is(reads.filter(({ status }) => status === 200).length, 10);
  const refused = reads.filter(({ status }) => status === 429);
  t.is(refused.length, 5);
  for (const { error, headers } of refused) {
    const wait = Number(headers.get('retry-after'));
    t.true(wait >= 1 && wait <= 60);
    t.like(error, { statusCode: 429, error: 'Too Many Requests', retryAfter: wait });
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
  t.true(Math.abs(reset - Date.now() / 1000 - 60) < 5);
  t.is(reads[0]?.headers.get('x-ratelimit-limit'), '10');

  const write = await org.api.raw('POST', '/templates', { body: {} });
  t.is(write.status, 400);
  t.is(write.headers.get('x-ratelimit-limit'), '5');
  t.is(write.headers.get('x-ratelimit-remaining'), '4');
  const put = await org.api.raw('PUT', '/templates/01900000-0000-7000-8000-000000000001', { body: {} });
  t.is(put.headers.get('x-ratelimit-remaining'), '3');
  t.is((await other.raw('GET', '/runs')).status, 200);
});
