import { randomUUID } from 'node:crypto';
import { createDatabase } from '@runward/testing/database';
import test, { type ExecutionContext } from 'ava';
import { openCounters, type CounterSettings } from '../../src/limits/open-counters.ts';
import { createSignInThrottle, type SignInThrottle } from '../../src/limits/sign-in-throttle.ts';
import { createLog } from '../../src/telemetry/log.ts';

const redisUrl = process.env['REDIS_TEST_URL'];
const stores = ['memory', 'postgres', ...(redisUrl === undefined ? [] : ['redis' as const])] as const;

/** The throttle of a process with this store, and the delays it imposed, in milliseconds. */
async function openThrottle(t: ExecutionContext, settings: CounterSettings, databaseUrl = '') {
  const started = new AsyncDisposableStack();
  t.teardown(() => started.disposeAsync());
  const counters = await openCounters(settings, databaseUrl, started, createLog('silent', { write: () => {} }));
  const delays: number[] = [];
  const throttle = createSignInThrottle(counters, async (ms) => delays.push(ms));
  return { throttle, delays };
}

/** Two processes that share a store; with `memory`, one process. */
async function openProcesses(t: ExecutionContext, rateLimitStore: CounterSettings['rateLimitStore']) {
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const open = () => openThrottle(t, { rateLimitStore, redisUrl }, url);
  const one = await open();
  return { one, other: rateLimitStore === 'memory' ? one : await open() };
}

const isAllowed = (throttle: SignInThrottle, address: string, email: string) =>
  throttle.attempt(address, email).then(
    () => true,
    () => false,
  );

for (const store of stores) {
  test(`of 30 concurrent wrong passwords for one account from one address, 10 are verified; counted in ${store}`, async (t) => {
    const { one, other } = await openProcesses(t, store);
    const [address, email] = [randomUUID(), `${randomUUID()}@example.com`];
    const burst = Array.from({ length: 30 }, (_, index) => (index % 2 ? one : other).throttle);
    const results = await Promise.all(burst.map((throttle) => isAllowed(throttle, address, email)));
    t.is(results.filter(Boolean).length, 10);
    const rejection = await t.throwsAsync(one.throttle.attempt(address, email));
    t.regex(rejection.message, /Too many failed sign-ins; retry in \d+ s\.$/);
    t.true(await isAllowed(one.throttle, randomUUID(), email));
    t.true(await isAllowed(other.throttle, address, `not-${email}`));
  });

  test(`right passwords are not counted, however many; counted in ${store}`, async (t) => {
    const { one } = await openProcesses(t, store);
    const email = `${'long'.repeat(60)}@example.com`;
    for (let time = 0; time < 25; time += 1) await (await one.throttle.attempt('192.0.2.1', email))();
    const burst = await Promise.all(Array.from({ length: 10 }, () => one.throttle.attempt('192.0.2.1', email)));
    t.false(await isAllowed(one.throttle, '192.0.2.1', email));
    for (const succeed of burst) await succeed();
    t.deepEqual(one?.delays, []);
  });
}

test('failures for one account from many addresses delay its attempts more and more, up to 3 s, and reject none', async (t) => {
  const { throttle, delays } = await openThrottle(t, { rateLimitStore: 'memory' });
  for (let time = 1; time <= 16; time += 1) await throttle.attempt(`192.0.2.${time}`, 'ada@example.com');
  t.deepEqual(delays, [250, 500, 1000, 2000, 3000, 3000]);
  await throttle.attempt('192.0.2.1', 'bo@example.com');
  t.is(delays.length, 6);
});

test('an address is limited over all accounts, and the addresses of an IPv6 network count as one', async (t) => {
  const { throttle } = await openThrottle(t, { rateLimitStore: 'memory' });
  for (let time = 0; time < 100; time += 1) {
    t.true(await isAllowed(throttle, `2001:db8::${time.toString(16)}`, `${time}@example.com`));
  }
  t.false(await isAllowed(throttle, '2001:db8::ffff:1', 'ada@example.com'));
  t.true(await isAllowed(throttle, '2001:db8:0:1::1', 'ada@example.com'));
  t.true(await isAllowed(throttle, '192.0.2.1', 'ada@example.com'));
});
