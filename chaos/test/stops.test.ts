import test from 'ava';
import { checkStops } from '../checker/processes.ts';
import type { FaultKind } from '../history/history.ts';
import type { Exit, FailedAttempt } from '../history/process-history.ts';
import { began } from './small-history.ts';

const stop: Exit = {
  name: 'api 1',
  startedAt: began,
  at: began + 60_400,
  code: 0,
  signal: null,
  cause: 'stop',
  tookMs: 400,
  wasReady: true,
};

/** How many violations a failed request of a stop at 60 s is. Times are in milliseconds after the start. */
function violations(
  from: number,
  to: number,
  { process = 'api 1', status = null, ...own }: Partial<FailedAttempt> = {},
) {
  return (fault?: readonly [kind: FaultKind, name: string, from: number, to: number], exit = stop): number => {
    const failure = {
      name: 'launch',
      message: 'Error: reset',
      ...own,
      process,
      status,
      from: began + from,
      to: began + to,
    };
    const [kind, name, begins, ends] = fault ?? ['outage', 'outage of a receiver', 0, 0];
    const faults = [{ kind, name, target: 'any', from: began + begins, to: began + ends }];
    return checkStops({ exits: [exit], failures: [failure], faults }).length;
  };
}

test('a request that was sent before SIGTERM and got no response, or got an error of the service, was cut off', (t) => {
  t.is(violations(59_000, 60_300)(), 1);
  t.is(violations(59_000, 60_300, { status: 503 })(), 1);
  t.is(violations(60_100, 60_300, { status: 500 })(), 1);
});

test('a connection that is refused or reset after SIGTERM is no violation, nor is what fails at other times and processes', (t) => {
  t.is(violations(60_100, 60_110)(), 0);
  t.is(violations(59_900, 60_010)(), 0, 'not yet accepted');
  t.is(violations(59_000, 59_900, { status: 503 })(), 0, 'before');
  t.is(violations(60_500, 60_600, { status: 503 })(), 0, 'after');
  t.is(violations(60_100, 60_300, { status: 429 })(), 0, 'the same key is in use');
  t.is(violations(59_000, 60_300, { process: 'api 2' })(), 0);
  t.is(violations(59_000, 60_300)(undefined, { ...stop, cause: 'kill' }), 0);
});

test('a request may fail during a stop if the database is down or has a lock', (t) => {
  const cut = violations(55_000, 60_300);
  t.is(cut(['restart', 'restart PostgreSQL (fast)', 50_000, 52_000]), 0);
  t.is(cut(['stall', 'stall PostgreSQL', 30_000, 38_000]), 1);
  t.is(cut(['kill', 'kill -9 worker 1 during mails.write', 62_000, 64_000]), 0);
  t.is(cut(['kill', 'kill -9 worker 1 during a mail', 58_000, 59_000]), 1);
});
