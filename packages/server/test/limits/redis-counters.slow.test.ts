import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@runward/testing/database';
import { freePort } from '@runward/testing/ports';
import { startServiceFor } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { openCounters } from '../../src/limits/open-counters.ts';
import { createRateLimiter, type RateLimiter } from '../../src/limits/rate-limit.ts';
import { createSignInThrottle } from '../../src/limits/sign-in-throttle.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { hasRedis, startRedis } from '../support/redis.ts';

const given = process.env['REDIS_TEST_URL'];
if (given === undefined) console.warn('REDIS_TEST_URL is not set: counting in Redis is not tested.');
else if (!hasRedis) console.warn('redis-server is not installed: a Redis that goes away is not tested.');
const onRedis = given === undefined ? test.skip : test;
const onOwnRedis = given === undefined || !hasRedis ? test.skip : test;

const limit = 20;

/** The limits of one process, and its log. */
async function openProcess(t: ExecutionContext, redisUrl: string) {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const started = new AsyncDisposableStack();
  t.teardown(() => started.disposeAsync());
  const counters = await openCounters({ rateLimitStore: 'redis', redisUrl }, '', started, log);
  const said = (what: string) => lines.filter((line) => line.includes(what)).length;
  return {
    limiter: createRateLimiter({ readsPerMinute: limit, writesPerMinute: limit }, counters),
    throttle: createSignInThrottle(counters),
    outages: () => said('Redis unreachable'),
    returns: () => said('Redis reachable again'),
  };
}

/** Exceeds the limit of a new key on each limiter concurrently; returns how many requests were accepted. */
async function accepted(...limiters: readonly RateLimiter[]): Promise<number> {
  const key = randomUUID();
  const times = Array.from({ length: 2 * limit });
  const spent = await Promise.all(times.flatMap(() => limiters.map((limiter) => limiter.spend(key, 'POST'))));
  return spent.filter(({ retryAfter }) => retryAfter === null).length;
}

onRedis('processes on one Redis count one limit, exactly', async (t) => {
  const [one, other] = [await openProcess(t, given ?? ''), await openProcess(t, given ?? '')];
  for (let time = 0; time < 5; time += 1) t.is(await accepted(one.limiter, other.limiter), limit);

  const key = randomUUID();
  t.like(await one.limiter.spend(key, 'GET'), { limit, remaining: limit - 1, retryAfter: null });
  const { remaining, resetAt } = await other.limiter.peek(key, 'GET');
  t.is(remaining, limit - 1);
  t.true(Math.abs(resetAt - Date.now() / 1000 - 60) < 30);
  t.is((await other.limiter.peek(key, 'POST')).remaining, limit);

  const email = `${key}@example.com`;
  for (let failure = 0; failure < 10; failure += 1) await one.throttle.attempt(key, email);
  await t.throwsAsync(other.throttle.attempt(key, email), { message: /Too many failed sign-ins/ });
  await other.throttle.attempt(key, `not-${email}`);
  t.deepEqual([one.outages(), other.outages()], [0, 0]);
});

onOwnRedis('while Redis is away each process counts alone; then they count together again', async (t) => {
  await using redis = await startRedis();
  const processes = [await openProcess(t, redis.url), await openProcess(t, redis.url)];
  const limiters = processes.map(({ limiter }) => limiter);
  const together = async () => {
    for (const { limiter, outages, returns } of processes) {
      await until(async () => {
        await limiter.spend(randomUUID(), 'GET');
        return outages() === returns();
      }, 'Redis to be found again');
    }
    t.is(await accepted(...limiters), limit);
  };
  await together();
  const before = processes.map(({ outages }) => outages());

  for (const [outage, { leave, comeBack }] of [
    { leave: redis.kill, comeBack: redis.start },
    { leave: async () => redis.freeze(), comeBack: redis.thaw },
  ].entries()) {
    await leave();
    for (const limiter of limiters) {
      t.is(await accepted(limiter), limit);
      t.is((await limiter.peek(randomUUID(), 'GET')).remaining, limit);
    }
    t.deepEqual(
      processes.map(({ outages }, index) => outages() - (before[index] ?? 0)),
      [outage + 1, outage + 1],
    );
    comeBack();
    await together();
  }
});

test('a service starts and works without Redis, and logs that once', async (t) => {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-redis-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const REDIS_URL = `redis://:canary-password@127.0.0.1:${await freePort()}`;
  const service = await startServiceFor(t, dataDir, { DATABASE_URL: url, REDIS_URL, RATE_LIMIT_READS_PER_MINUTE: '5' });
  const responses = [];
  for (let request = 0; request < 7; request += 1) responses.push(await service.api().raw('GET', '/runs'));
  t.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429, 429],
  );
  service.child.kill('SIGTERM');
  t.is(await service.exited, 0);
  t.is(service.log().split('Redis unreachable').length - 1, 1);
  t.false(service.log().includes('canary'));
});
