import test from 'ava';
import { retryDelay } from '../../../src/webhooks/delivery/retry-delay.ts';

const schedule = [0, 5, 300, 1800];
const failed = { statusCode: 500, timedOut: false, retryAfterSeconds: null };

test('each failure waits for its delay, varied by a fifth, until the schedule ends', (t) => {
  t.deepEqual(
    [1, 2, 3, 4].map((attempts) => retryDelay(schedule, attempts, failed, () => 0.5)),
    [5, 300, 1800, null],
  );
  t.is(
    retryDelay(schedule, 2, failed, () => 0),
    240,
  );
  for (let round = 0; round < 1_000; round += 1) {
    const delay = retryDelay(schedule, 2, failed) ?? 0;
    t.true(delay >= 240 && delay <= 360);
  }
});

test('after a timeout or a 429 the delay is at least a minute', (t) => {
  const overloaded = { ...failed, statusCode: 429 };
  const slow = { ...failed, statusCode: null, timedOut: true };
  for (const response of [overloaded, slow]) {
    t.is(
      retryDelay(schedule, 1, response, () => 0),
      60,
    );
    t.is(Math.round(retryDelay(schedule, 1, response, () => 1) ?? 0), 72);
    t.is(
      retryDelay(schedule, 2, response, () => 0),
      240,
    );
    t.is(retryDelay(schedule, 4, response), null);
  }
});

test('Retry-After is honored between the delay and twice the delay', (t) => {
  const asking = (retryAfterSeconds: number, statusCode = 503) => ({ ...failed, statusCode, retryAfterSeconds });
  t.deepEqual(
    [1, 300, 450, 600, 86_400].map((seconds) => retryDelay(schedule, 2, asking(seconds))),
    [300, 300, 450, 600, 600],
  );
  t.deepEqual(
    [5, 90, 500].map((seconds) => retryDelay(schedule, 1, asking(seconds, 429))),
    [60, 90, 120],
  );
});
