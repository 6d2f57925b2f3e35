import { randomUUID } from 'node:crypto';
import { createDatabase } from '@runward/testing/database';
import test, { type ExecutionContext } from 'ava';
import { openCounters } from '../../src/limits/open-counters.ts';
import { createRateLimiter, type RateLimiter } from '../../src/limits/rate-limit.ts';
import { createSignInThrottle } from '../../src/limits/sign-in-throttle.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { countStatements } from '../support/database/statements.ts';

const limit = 20;

/** The limits of two processes on one database. */
async function openProcesses(t: ExecutionContext) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const open = async () => {
    const started = new AsyncDisposableStack();
    t.teardown(() => started.disposeAsync());
    const log = createLog('info', { write: (line) => t.log(line) });
    const counters = await openCounters({ rateLimitStore: 'postgres' }, url, started, log);
    return {
      limiter: createRateLimiter({ readsPerMinute: limit, writesPerMinute: limit }, counters),
      throttle: createSignInThrottle(counters),
    };
  };
  return [await open(), await open()] as const;
}

test('processes on one PostgreSQL count one limit, exactly, and count concurrent requests of a key together', async (t) => {
  const [one, other] = await openProcesses(t);
  const spend = (limiter: RateLimiter, key: string, count: number) =>
    Array.from({ length: count }, async () => limiter.spend(key, 'GET'));
  const statements = countStatements();
  for (let time = 0; time < 5; time += 1) {
    const key = randomUUID();
    const spent = await Promise.all([one, other].flatMap(({ limiter }) => spend(limiter, key, 2 * limit)));
    const accepted = spent.filter(({ retryAfter }) => retryAfter === null);
    const remaining = accepted.map((allowance) => allowance.remaining).toSorted((a, b) => b - a);
    t.deepEqual(
      remaining,
      Array.from({ length: limit }, (_, index) => limit - 1 - index),
    );
    const rejected = spent.filter(({ retryAfter }) => retryAfter !== null);
    t.true(rejected.every((allowance) => allowance.remaining === 0 && Number(allowance.retryAfter) >= 1));
    t.not((await other.limiter.spend(key, 'GET')).retryAfter, null);
    t.is((await one.limiter.spend(key, 'POST')).remaining, limit - 1);
  }
  t.true(statements.stop() < 50, 'about two statements for the reads of each process, not 80');

  const email = `${randomUUID()}@example.com`;
  const attempts = await Promise.allSettled(Array.from({ length: 12 }, async () => one.throttle.attempt('::1', email)));
  t.is(attempts.filter(({ status }) => status === 'fulfilled').length, 10);
});
