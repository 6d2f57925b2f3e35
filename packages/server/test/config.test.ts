import test from 'ava';
import { readConfig } from '../src/config.ts';

test('an empty environment gives the documented defaults', (t) => {
  t.like(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    writesPerMinute: 300,
    readsPerMinute: 1500,
    webhookAllowLocal: false,
    timeZone: 'UTC',
    webhookRetrySchedule: [0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  });
});

test('every mistake is reported at once, by name', (t) => {
  const error = t.throws(() =>
    readConfig({ PORT: '99999', DATABASE_URL: 'mysql://x', WEBHOOK_RETRY_SCHEDULE: '5 minutes', LOG_LEVEL: 'loud' }),
  );
  for (const name of ['PORT', 'DATABASE_URL', 'WEBHOOK_RETRY_SCHEDULE', 'LOG_LEVEL']) {
    t.true(error?.message.includes(`${name}: must be`) || error?.message.includes(`${name}: `), error?.message);
  }
});

test('webhooks to this machine are not possible in production', (t) => {
  t.throws(() => readConfig({ NODE_ENV: 'production', WEBHOOK_ALLOW_LOCAL: 'true' }), {
    message: /WEBHOOK_ALLOW_LOCAL: must not be true with NODE_ENV=production/,
  });
  t.true(readConfig({ WEBHOOK_ALLOW_LOCAL: 'true' }).webhookAllowLocal);
});

test('a process that does one part of the work needs a database it can share', (t) => {
  t.throws(() => readConfig({ ROLE: 'worker' }), { message: /ROLE: must be all without DATABASE_URL/ });
  t.throws(() => readConfig({ ROLE: 'both' }), { message: /ROLE: must be all, api, worker/ });
  t.is(readConfig({ ROLE: 'worker', DATABASE_URL: 'postgres://a@b/c' }).role, 'worker');
  t.is(readConfig({}).role, 'all');
});
