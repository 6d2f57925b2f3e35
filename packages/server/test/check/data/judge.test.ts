import test, { type ExecutionContext } from 'ava';
import { ensureRecent } from '../../../src/check/clamd.ts';
import { judgeBacklog } from '../../../src/check/data/backlog.ts';
import { differenceOf, judgeClock } from '../../../src/check/data/clock.ts';
import { judgeSpace } from '../../../src/check/data/disks.ts';
import { ensureConnections, ensureSettings } from '../../../src/check/data/postgres-settings.ts';
import { judgeReplicas } from '../../../src/check/data/replicas.ts';
import { Problem } from '../../../src/check/part.ts';

/** Asserts what was thrown: the status, what is wrong and what to do. */
function finds(
  t: ExecutionContext,
  judge: () => unknown,
  status: 'WRONG' | 'WARNING',
  message: string,
  remedy: RegExp,
) {
  const problem = t.throws(judge, { instanceOf: Problem });
  t.is(problem.message, message);
  t.is(problem.status, status);
  t.regex(problem.remedy, remedy);
}

test('clocks that differ by more than a second are a warning, and by more than a minute wrong', (t) => {
  t.is(differenceOf(1_000, 1_500, 2_000), 0, 'the time between the two is not known');
  t.is(differenceOf(1_000, 400, 2_000), -600);
  t.is(differenceOf(1_000, 2_700, 2_000), 700);
  t.regex(judgeClock(-1_000), /agree/);
  const ntp = /NTP/;
  finds(t, () => judgeClock(1_600), 'WARNING', 'that of PostgreSQL is 2 s ahead of that of this machine', ntp);
  finds(t, () => judgeClock(-61_000), 'WRONG', 'that of PostgreSQL is 61 s behind that of this machine', ntp);
});

test('settings of PostgreSQL that lose data are wrong, and a database that is not vacuumed is a warning', (t) => {
  const good = {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'local',
    default_transaction_isolation: 'read committed',
    default_transaction_read_only: 'off',
    autovacuum: 'on',
    track_counts: 'on',
  };
  const judge = (other: Record<string, string>) => () => ensureSettings(new Map(Object.entries({ ...good, ...other })));
  t.notThrows(judge({}));
  finds(
    t,
    judge({ fsync: 'off', autovacuum: 'off' }),
    'WRONG',
    'fsync is off, autovacuum is off',
    /^set fsync to on, autovacuum to on$/,
  );
  for (const [name, value] of Object.entries({
    full_page_writes: 'off',
    synchronous_commit: 'off',
    default_transaction_isolation: 'serializable',
    default_transaction_read_only: 'on',
  })) {
    finds(t, judge({ [name]: value }), 'WRONG', `${name} is ${value}`, new RegExp(`^set ${name} to `));
  }
  finds(t, judge({ track_counts: 'off' }), 'WARNING', 'track_counts is off', /^set track_counts to on$/);
});

test('connections that do not suffice for a process are wrong, and for one more a warning', (t) => {
  t.notThrows(() => ensureConnections({ limit: 97, used: 20 }, 17));
  const raise = /^raise max_connections/;
  finds(
    t,
    () => ensureConnections({ limit: 10, used: 1 }, 17),
    'WRONG',
    '10 connections are allowed, but a process opens up to 17',
    raise,
  );
  finds(
    t,
    () => ensureConnections({ limit: 97, used: 81 }, 17),
    'WARNING',
    '81 of 97 connections are open, and one more process opens up to 17',
    raise,
  );
});

test('the slowest replica, one that does not follow, and a slot that nobody reads are named', (t) => {
  const near = { name: 'near', state: 'streaming', seconds: null };
  t.is(judgeReplicas([], []), 'none is attached');
  t.is(judgeReplicas([near], [{ name: 'x', bytes: 1e6 }]), '1 attached, at most 0 s behind');
  t.regex(judgeReplicas([{ ...near, state: null }], []), /^1 attached; their lag is visible to members of pg_monitor/);
  const far = (seconds: number) => () => judgeReplicas([near, { ...near, name: 'far', seconds }], []);
  finds(t, far(11), 'WARNING', 'far is 11 s behind', /long queries/);
  finds(t, far(301), 'WRONG', 'far is 301 s behind', /long queries/);
  finds(
    t,
    () => judgeReplicas([{ ...near, state: 'catchup' }], []),
    'WARNING',
    'near does not follow yet: its state is catchup',
    /log/,
  );
  finds(
    t,
    () => judgeReplicas([near], [{ name: 'old', bytes: 5e9 }]),
    'WARNING',
    '5 GB of the write-ahead log are kept for the replication slot old, which nobody reads',
    /drop the slot/,
  );
});

test('a disk with little free space is a warning, and an almost full one is wrong', (t) => {
  t.is(judgeSpace('it', { free: 50e9, total: 200e9 }), 'it has 50 GB of 200 GB free');
  const enlarge = /enlarge the disk/;
  finds(t, () => judgeSpace('it', { free: 9e9, total: 200e9 }), 'WARNING', 'it has 9 GB of 200 GB free', enlarge);
  finds(t, () => judgeSpace('it', { free: 900e6, total: 5e9 }), 'WARNING', 'it has 900 MB of 5 GB free', enlarge);
  finds(t, () => judgeSpace('it', { free: 99e6, total: 5e9 }), 'WRONG', 'it has 99 MB of 5 GB free', enlarge);
  finds(t, () => judgeSpace('it', { free: 0, total: 5e9 }), 'WRONG', 'it has 0 bytes of 5 GB free', enlarge);
});

test('work that has been due for more than a minute is a warning, and for a quarter of an hour wrong', (t) => {
  const nothing = { deliverySeconds: 60, overdueSeconds: 0, feedSeconds: 0, mailSeconds: 0, scans: 100 };
  t.is(judgeBacklog(nothing), 'nothing waits for more than a minute');
  const worker = /ROLE=worker/;
  finds(
    t,
    () => judgeBacklog({ ...nothing, deliverySeconds: 61, overdueSeconds: 70, scans: 101 }),
    'WARNING',
    'the oldest due webhook delivery has waited 61 s, a deadline passed, without being detected, 70 s ago, ' +
      '101 files wait for a virus scan',
    worker,
  );
  finds(
    t,
    () => judgeBacklog({ ...nothing, mailSeconds: 901 }),
    'WRONG',
    'the oldest due mail has waited 901 s',
    worker,
  );
  finds(
    t,
    () => judgeBacklog({ ...nothing, feedSeconds: 62 }),
    'WARNING',
    'an event has had no position in the feed for 62 s',
    worker,
  );
});

test('signatures of a virus scanner that are older than a week are a warning', (t) => {
  const now = new Date('2026-11-27T12:00:00Z');
  for (const version of ['ClamAV 1.4.3', 'ClamAV 1.4.3/27600/Sat Nov 21 09:01:02 2026']) {
    t.is(ensureRecent(version, now), version);
  }
  const old = 'ClamAV 1.4.3/27590/Tue Nov 10 09:01:02 2026';
  finds(t, () => ensureRecent(old, now), 'WARNING', `the signatures of ${old} are 17 days old`, /freshclam/);
});
