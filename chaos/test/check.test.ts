import test from 'ava';
import { check } from '../check/check.ts';
import type { Incident, Kind, Received } from '../evidence.ts';
import { began, end, smallEvidence, type Spoilable } from './small-evidence.ts';

/** The rules that are broken once evidence was spoilt. */
function broken(spoil: (evidence: Spoilable) => void): string[] {
  const evidence = smallEvidence();
  spoil(evidence);
  return [...new Set(check(evidence, end).violations.map(({ rule }) => rule))].sort();
}

const incident = (kind: Kind, target: string, from: number, to: number): Incident => ({
  kind,
  target,
  name: `${kind} ${target}`,
  from: began + from,
  to: began + to,
});

const first = <Thing>([thing]: readonly Thing[]): Thing => {
  if (thing === undefined) throw new Error('There is none.');
  return thing;
};

/** The success of the first event came, and again so many milliseconds later. */
function repeat({ received }: Spoilable, after: number, status = 200): Received {
  const success = received.find((request) => request.status === 200) ?? first(received);
  const again = { ...success, arrivedAt: success.arrivedAt + after, answeredAt: success.answeredAt + after, status };
  received.push(again);
  return success;
}

test('what is whole has no violation', (t) => {
  t.deepEqual(check(smallEvidence(), end), {
    violations: [],
    lost: 0,
    duplicates: { byKill: 0, byDatabase: 0, unexplained: 0 },
  });
});

const planted: readonly (readonly [string, (evidence: Spoilable) => void, readonly string[]])[] = [
  ['a run that was answered is gone', (it) => (it.runs = []), ['lost answer']],
  [
    'a change that was answered is gone',
    (it) =>
      it.deeds.push({ ...first(it.deeds), operation: 'cancel', facts: [{ type: 'run.cancelled', runTaskId: null }] }),
    ['lost answer'],
  ],
  ['a change happened twice', (it) => it.deeds.splice(2, 1), ['done twice']],
  [
    'a launch made two runs',
    (it) => it.runs.push({ ...first(it.runs), id: 'run-2', activityCount: 0 }),
    ['done twice'],
  ],
  ['a run was launched by nobody', (it) => (it.deeds = []), ['made up']],
  ['a client was refused', (it) => it.deeds.push({ ...first(it.deeds), status: 400, facts: [] }), ['refused']],
  ['a launch answers another run', (it) => (first(it.deeds).runId = 'run-2'), ['lost answer']],
  ['the run is not as its activity says', (it) => (first(it.runs).status = 'RUNNING'), ['rows and activity differ']],
  ['a task is not as its activity says', (it) => (first(it.tasks).status = 'PENDING'), ['rows and activity differ']],
  ['the activity counts wrongly', (it) => (first(it.runs).activityCount = 6), ['activity with gaps']],
  ['a change has no event', (it) => it.events.splice(1, 1), ['lost event', 'made up']],
  [
    'a change has two events',
    (it) => it.events.push({ ...first(it.events), id: 'event-9' }),
    ['event twice', 'lost delivery', 'lost from the feed'],
  ],
  ['an event has another body', (it) => (first(it.events).body = '{"data":{}}'), ['body changed', 'event differs']],
  ['an event has no delivery', (it) => it.deliveries.splice(0, 1), ['lost delivery', 'made up']],
  ['a delivery waits for ever', (it) => (first(it.deliveries).status = 'PENDING'), ['lost delivery']],
  [
    'a delivery succeeded that no receiver saw',
    (it) => (it.received = it.received.filter(({ id, status }) => id !== 'event-1' || status !== 200)),
    ['attempt made up', 'lost delivery'],
  ],
  ['a delivery failed too soon', (it) => (first(it.deliveries).status = 'FAILED'), ['gave up too soon']],
  [
    'a delivery went where nobody wants it',
    (it) => it.deliveries.push({ ...first(it.deliveries), webhookId: 'hook-2', attempts: [] }),
    ['delivery too many', 'lost delivery'],
  ],
  ['a webhook was switched off', (it) => (first(it.webhooks).enabled = false), ['webhook switched off']],
  ['a request belongs to nothing', (it) => it.received.push({ ...first(it.received), id: 'event-9' }), ['made up']],
  ['the second attempt has other bytes', (it) => (first(it.received).body += ' '), ['body changed']],
  ['a signature is wrong', (it) => (first(it.received).problem = 'signature_mismatch'), ['signature']],
  ['a success comes again for no reason', (it) => repeat(it, 60_000), ['duplicate']],
  [
    'a deadline is said twice',
    (it) => {
      const said = it.activity.find(({ type }) => type === 'task.overdue') ?? first(it.activity);
      it.activity.push({ ...said, sequence: 6 });
      first(it.runs).activityCount = 6;
    },
    ['lost event', 'overdue twice'],
  ],
  [
    'a deadline is said late',
    (it) => it.activity.slice(3).forEach((fact) => (fact.at += 80_000)),
    ['event differs', 'overdue late'],
  ],
  [
    'a deadline is said too soon',
    (it) => it.activity.slice(3).forEach((fact) => (fact.at -= 16_000)),
    ['event differs', 'overdue made up'],
  ],
  [
    'another deadline is said',
    (it) => it.activity.slice(3, 4).forEach((fact) => (fact.deadlineAt = began)),
    ['overdue late', 'overdue made up'],
  ],
  [
    'the feed lacks an event',
    (it) => [it.feeds.after, it.feeds.during].forEach((ids) => ids.shift()),
    ['lost from the feed'],
  ],
  [
    'the feed gives one twice',
    (it) => [it.feeds.after, it.feeds.during].forEach((ids) => ids.push('event-4')),
    ['feed out of order', 'feed twice'],
  ],
  [
    'the feed is out of order',
    (it) => [it.feeds.after, it.feeds.during].forEach((ids) => ids.reverse()),
    ['feed out of order'],
  ],
  [
    'one who followed the feed missed an event',
    (it) => it.feeds.during.shift(),
    ['lost from the feed of one who followed'],
  ],
  ['a process ended by itself', (it) => (first(it.exits).cause = null), ['process ended by itself']],
  ['a process stopped with an error', (it) => (first(it.exits).code = 1), ['stopped badly']],
  ['a process took too long to stop', (it) => (first(it.exits).tookMs = 26_000), ['stopped badly']],
];

for (const [name, spoil, rules] of planted) {
  test(`found: ${name}`, (t) => {
    t.deepEqual(broken(spoil), rules);
  });
}

test('a success that comes again is explained by the kill of a worker, or a database that was away, once its lease ran out', (t) => {
  const after = (ms: number, ...incidents: Incident[]) => {
    const evidence = smallEvidence();
    const { answeredAt } = repeat(evidence, ms);
    const shift = answeredAt - began;
    for (const { kind, target, from, to } of incidents) {
      evidence.incidents.push(incident(kind, target, from - began + shift, to - began + shift));
    }
    const { violations, duplicates } = check(evidence, end);
    return [duplicates.byKill, duplicates.byDatabase, duplicates.unexplained, violations.length];
  };
  t.deepEqual(after(60_000, incident('kill', 'worker 1', 100, 3_000)), [1, 0, 0, 0]);
  t.deepEqual(after(60_000, incident('restart', 'PostgreSQL', -100, 40_000)), [0, 1, 0, 0]);
  t.deepEqual(
    after(60_000, incident('restart', 'PostgreSQL', 100, 20_000), incident('kill', 'worker 1', 15_000, 20_000)),
    [1, 0, 0, 0],
  );
  t.deepEqual(after(2_000, incident('stop', 'worker 1', 100, 3_000)), [1, 0, 0, 0]);

  t.deepEqual(after(30_000, incident('kill', 'worker 1', 100, 3_000)), [1, 0, 0, 1]);
  t.deepEqual(after(60_000, incident('kill', 'api 1', 100, 3_000)), [0, 0, 1, 1]);
  t.deepEqual(after(60_000, incident('kill', 'worker 1', 9_000, 12_000)), [0, 0, 1, 1]);
  t.deepEqual(after(60_000, incident('kill', 'worker 1', -9_000, 3_000)), [0, 0, 1, 1]);
});

test('a failure after a success needs an explanation too, although it is no duplicate', (t) => {
  const evidence = smallEvidence();
  repeat(evidence, 60_000, 500);
  const { violations, duplicates } = check(evidence, end);
  t.deepEqual([violations.map(({ rule }) => rule), duplicates.unexplained], [['duplicate'], 0]);
});

test('a client that gave up may have had its effect or not, but not half of it', (t) => {
  const without = (...types: string[]) =>
    broken((it) => {
      const facts = types.map((type) => ({ type, runTaskId: null }));
      it.deeds.push({ ...first(it.deeds), status: null, facts });
    });
  t.deepEqual(without('run.cancelled'), []);
  t.deepEqual(
    broken((it) => it.deeds.splice(2, 1, ...it.deeds.slice(2).map((deed) => Object.assign(deed, { status: null })))),
    [],
  );
  t.deepEqual(
    broken((it) => {
      const [last] = it.deeds.slice(2);
      if (last)
        Object.assign(last, { status: null, facts: [...last.facts, { type: 'run.completed', runTaskId: null }] });
    }),
    ['done twice'],
  );
});

test('a deadline may be said later where workers or the database were away', (t) => {
  const late = (...incidents: Incident[]) =>
    broken((it) => {
      for (const fact of it.activity.slice(3)) fact.at += 80_000;
      it.events = it.events.map((event) => Object.assign(event, { body: event.body.replace('12:00:20', '12:01:40') }));
      it.received = it.received.map((request) =>
        Object.assign(request, { body: request.body.replace('12:00:20', '12:01:40') }),
      );
      it.incidents.push(...incidents);
    });
  t.deepEqual(late(), ['overdue late']);
  t.deepEqual(late(incident('outage', 'receiver', 10_000, 80_000)), ['overdue late']);
  t.deepEqual(late(incident('restart', 'PostgreSQL', 20_000, 25_000)), []);
  t.deepEqual(late(incident('kill', 'worker 2', 20_000, 25_000)), []);
});

test('a deadline that is met, or ends with the run, is not said', (t) => {
  const quiet = (type: string, runTaskId: string | null) =>
    broken((it) => {
      const said = it.activity.find((fact) => fact.type === 'task.overdue') ?? first(it.activity);
      Object.assign(said, { type, runTaskId, at: began + 4_000, deadlineAt: null });
    }).filter((rule) => rule.startsWith('overdue'));
  t.deepEqual(quiet('task.completed', 'task-2'), []);
  t.deepEqual(quiet('run.cancelled', null), []);
  t.deepEqual(quiet('run.renamed', null), ['overdue late']);
});

test('a process may fail to start while the database is away, and not otherwise', (t) => {
  const startedThen = (wasReady: boolean, code: number) =>
    broken((it) => {
      Object.assign(first(it.exits), { startedAt: began, at: began + 3_000, cause: null, code, wasReady });
      it.incidents.push(incident('restart', 'PostgreSQL', 1_000, 4_000));
    });
  t.deepEqual(startedThen(false, 1), []);
  t.deepEqual(startedThen(true, 1), ['process ended by itself']);
  t.deepEqual(startedThen(false, 134), ['process ended by itself']);
});

test('what a lost worker still holds is left out where leases are not waited for, and nothing else', (t) => {
  const waiting = (isLeased: boolean, leasesAwaited: boolean) =>
    broken((it) => {
      it.leasesAwaited = leasesAwaited;
      Object.assign(first(it.deliveries), { status: 'PENDING', isLeased });
    });
  t.deepEqual(waiting(true, false), []);
  t.deepEqual(waiting(true, true), ['lost delivery']);
  t.deepEqual(waiting(false, false), ['lost delivery']);
  const behind = (held: number) =>
    broken((it) => {
      it.leasesAwaited = false;
      const [one, ...others] = it.deliveries;
      if (one) one.status = 'PENDING';
      const lost = Array.from({ length: held }, (_, index) => {
        return { ...first(others), id: `event-${index + 10}`, status: 'PENDING' as const, isLeased: true };
      });
      it.deliveries.push(...lost);
    });
  t.deepEqual(behind(4), ['lost delivery', 'made up']);
  t.deepEqual(behind(5), ['made up']);
});
