import { randomUUID } from 'node:crypto';
import { createDatabase } from '@runward/testing/database';
import test, { type ExecutionContext } from 'ava';
import { createGuessThrottle, type GuessThrottle } from '../../src/limits/guess-throttle.ts';
import { openCounters, type CounterSettings } from '../../src/limits/open-counters.ts';
import { createLog } from '../../src/telemetry/log.ts';

const redisUrl = process.env['REDIS_TEST_URL'];
const stores = ['memory', 'postgres', ...(redisUrl === undefined ? [] : ['redis' as const])] as const;

/** Two processes that share a store; with `memory`, one process. */
async function openProcesses(t: ExecutionContext, rateLimitStore: CounterSettings['rateLimitStore']) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const open = async () => {
    const started = new AsyncDisposableStack();
    t.teardown(() => started.disposeAsync());
    const log = createLog('silent', { write: () => {} });
    return createGuessThrottle(await openCounters({ rateLimitStore, redisUrl }, url, started, log), 'share');
  };
  const one = await open();
  return [one, rateLimitStore === 'memory' ? one : await open()] as const;
}

/** What a caller learns from a look-up: a hit, a miss, or that it may not look. */
const look = (throttle: GuessThrottle, callerId: string, found: string | null) =>
  throttle.find(callerId, async () => found).catch(({ status }: { status: number }) => status);

for (const store of stores) {
  test(`of 40 concurrent guesses of one caller 30 are misses, and then hits are rejected, too; counted in ${store}`, async (t) => {
    const [one, other] = await openProcesses(t, store);
    const caller = randomUUID();
    const burst = Array.from({ length: 40 }, (_, index) => look(index % 2 ? one : other, caller, null));
    const results = await Promise.all(burst);
    t.deepEqual(
      [results.filter((each) => each === null).length, results.filter((each) => each === 429).length],
      [30, 10],
    );
    for (const throttle of [one, other]) t.is(await look(throttle, caller, 'hit'), 429);
    const rejection = await t.throwsAsync(one.find(caller, async () => 'hit'));
    t.regex(rejection.message, /Too many unknown share tokens; check the token and retry in \d+ s\.$/);
    t.is(await look(one, randomUUID(), null), null);
  });

  test(`hits are not counted, however many; counted in ${store}`, async (t) => {
    const [one] = await openProcesses(t, store);
    const caller = randomUUID();
    const results = await Promise.all(Array.from({ length: 50 }, () => look(one, caller, 'hit')));
    t.true(results.every((each) => each === 'hit'));
    t.is(await look(one, caller, null), null);
  });
}
