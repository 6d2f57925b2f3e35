import test from 'ava';
import { check } from '../checker/check.ts';
import type { FaultKind, InjectedFault, Received } from '../history/history.ts';
import { began, end, smallHistory, type MutableHistory } from './small-history.ts';

/** The rules that a history violates after a change. */
function violated(change: (history: MutableHistory) => void): string[] {
  const history = smallHistory();
  change(history);
  return [...new Set(check(history, end).violations.map(({ rule }) => rule))].sort();
}

const fault = (kind: FaultKind, target: string, from: number, to: number): InjectedFault => ({
  kind,
  target,
  name: `${kind} ${target}`,
  from: began + from,
  to: began + to,
});

const first = <Item>([item]: readonly Item[]): Item => {
  if (item === undefined) throw new Error('The list is empty.');
  return item;
};

/** Repeats the first successful request `after` milliseconds later. Returns the original. */
function repeat({ received }: MutableHistory, after: number, status = 200): Received {
  const success = received.find((request) => request.status === 200) ?? first(received);
  const again = { ...success, arrivedAt: success.arrivedAt + after, respondedAt: success.respondedAt + after, status };
  received.push(again);
  return success;
}

test('a history that keeps every promise has no violations', (t) => {
  t.deepEqual(check(smallHistory(), end), {
    violations: [],
    lost: 0,
    duplicates: { byKill: 0, byDatabase: 0, unexplained: 0 },
    repeatedMails: { byKill: 0, byDatabase: 0, unexplained: 0 },
  });
});

const planted: readonly (readonly [string, (history: MutableHistory) => void, readonly string[]])[] = [
  ['a launched run is missing', (it) => (it.runs = []), ['lost write']],
  [
    'an acknowledged change is missing',
    (it) =>
      it.operations.push({
        ...first(it.operations),
        name: 'cancel',
        facts: [{ type: 'run.cancelled', runTaskId: null }],
      }),
    ['lost write'],
  ],
  [
    'a counter of runs is wrong',
    (it) =>
      it.counters.push({
        templateId: 'template',
        status: 'OVERDUE',
        archived: false,
        counted: 2,
        runs: 1,
        countedTasks: 2,
        tasks: 2,
      }),
    ['wrong counter'],
  ],
  ['a change was applied twice', (it) => it.operations.splice(2, 1), ['applied twice']],
  [
    'a launch created two runs',
    (it) => it.runs.push({ ...first(it.runs), id: 'run-2', activityCount: 0 }),
    ['applied twice', 'broken chain', 'migrated in part'],
  ],
  ['a run was launched by no client', (it) => (it.operations = []), ['phantom']],
  [
    'an operation was rejected',
    (it) => it.operations.push({ ...first(it.operations), status: 400, facts: [] }),
    ['rejected'],
  ],
  ['a launch returned another run', (it) => (first(it.operations).runId = 'run-2'), ['lost write']],
  [
    'the status of a run contradicts its activity',
    (it) => (first(it.runs).status = 'RUNNING'),
    ['rows differ from activity'],
  ],
  [
    'the status of a task contradicts the activity',
    (it) => (first(it.tasks).status = 'PENDING'),
    ['rows differ from activity'],
  ],
  [
    'a run follows a version without having been migrated',
    (it) => (first(it.runs).versionId = 'version-2'),
    ['migrated in part'],
  ],
  ['a task was removed without a migration', (it) => (first(it.tasks).place = 'removed'), ['migrated in part']],
  [
    'a run has other rules than its activity says',
    (it) => (first(it.runs).rulesVersionId = 'version-2'),
    ['synchronized in part'],
  ],
  ['a rule sync does not end', (it) => (first(it.ruleSyncs).status = 'RUNNING'), ['unfinished rule sync']],
  ['the activity has a gap', (it) => (first(it.runs).activityCount = 6), ['broken chain', 'gap in activity']],
  [
    'a line of activity was changed afterwards',
    (it) =>
      it.activity.slice(1, 2).forEach((fact) => (fact.line = { ...fact.line, at: fact.line.at.replace('12:', '13:') })),
    ['broken chain'],
  ],
  [
    'a task was ready twice by one change',
    (it) => it.events.push(workEvent('task.ready', 1, 'event-8'), workEvent('task.ready', 1, 'event-9')),
    ['duplicate event', 'lost from feed'],
  ],
  [
    'a task was ready without a reason',
    (it) => it.events.push(workEvent('task.ready', 3, 'event-8')),
    ['lost from feed', 'phantom'],
  ],
  ['a change has no event', (it) => it.events.splice(1, 1), ['lost event', 'phantom']],
  [
    'a change has two events',
    (it) => it.events.push({ ...first(it.events), id: 'event-9' }),
    ['duplicate event', 'lost delivery', 'lost from feed'],
  ],
  [
    'the body of an event has changed',
    (it) => (first(it.events).body = '{"data":{}}'),
    ['body changed', 'event differs'],
  ],
  ['an event has no delivery', (it) => it.deliveries.splice(0, 1), ['lost delivery', 'phantom']],
  ['a delivery stays pending', (it) => (first(it.deliveries).status = 'PENDING'), ['lost delivery']],
  [
    'a delivery succeeded without a request',
    (it) => (it.received = it.received.filter(({ id, status }) => id !== 'event-1' || status !== 200)),
    ['lost delivery', 'phantom attempt'],
  ],
  ['a delivery failed before its last attempt', (it) => (first(it.deliveries).status = 'FAILED'), ['failed too early']],
  [
    'a delivery went to a webhook that is not subscribed',
    (it) => it.deliveries.push({ ...first(it.deliveries), webhookId: 'hook-2', attempts: [] }),
    ['lost delivery', 'unexpected delivery'],
  ],
  ['a webhook was disabled', (it) => (first(it.webhooks).enabled = false), ['webhook disabled']],
  ['a request belongs to no delivery', (it) => it.received.push({ ...first(it.received), id: 'event-9' }), ['phantom']],
  ['the second attempt has other bytes', (it) => (first(it.received).body += ' '), ['body changed']],
  ['a signature is invalid', (it) => (first(it.received).problem = 'signature_mismatch'), ['invalid signature']],
  [
    'an ordered webhook got an event before an earlier one',
    (it) => it.received.slice(2, 4).forEach((request) => (request.arrivedAt -= 20_000)),
    ['out of order'],
  ],
  ['a success is repeated without a fault', (it) => repeat(it, 60_000), ['duplicate']],
  [
    'a deadline was detected twice',
    (it) => {
      const detected = it.activity.find(({ type }) => type === 'task.overdue') ?? first(it.activity);
      it.activity.push({ ...detected, sequence: 6 });
      first(it.runs).activityCount = 6;
    },
    ['broken chain', 'duplicate overdue', 'lost event'],
  ],
  [
    'a deadline was detected late',
    (it) => it.activity.slice(3).forEach((fact) => (fact.at += 80_000)),
    ['event differs', 'late overdue'],
  ],
  [
    'a deadline was detected early',
    (it) => it.activity.slice(3).forEach((fact) => (fact.at -= 16_000)),
    ['event differs', 'phantom overdue'],
  ],
  [
    'another deadline was detected',
    (it) => it.activity.slice(3, 4).forEach((fact) => (fact.deadlineAt = began)),
    ['late overdue', 'phantom overdue'],
  ],
  [
    'the feed lacks an event',
    (it) => [it.feeds.after, it.feeds.during].forEach((ids) => ids.shift()),
    ['lost from feed'],
  ],
  [
    'the feed has an event twice',
    (it) => [it.feeds.after, it.feeds.during].forEach((ids) => ids.push('event-4')),
    ['duplicate in feed', 'feed out of order'],
  ],
  [
    'the feed is out of order',
    (it) => [it.feeds.after, it.feeds.during].forEach((ids) => ids.reverse()),
    ['feed out of order'],
  ],
  ['a reader that followed the feed missed an event', (it) => it.feeds.during.shift(), ['lost from followed feed']],
  ['an uploaded file is missing', (it) => (it.files = []), ['lost file']],
  ['a value lost an uploaded file', (it) => (it.attached = []), ['lost file']],
  [
    'a value names a file that does not exist',
    (it) => it.attached.push({ entryId: 'entry-1', fileId: 'file-2' }),
    ['deleted file kept', 'lost file'],
  ],
  ['the bytes of a file are missing', (it) => (first(it.files).storedSha256 = null), ['lost bytes']],
  ['the bytes of a file have changed', (it) => (first(it.files).storedSha256 = 'b'), ['file changed']],
  ['a file has another hash than what was sent', (it) => (first(it.uploads).sha256 = 'b'), ['file changed']],
  ['a download had other bytes', (it) => (first(it.downloads).sha256 = 'b'), ['file changed']],
  ['a file could not be downloaded', (it) => (first(it.downloads).sha256 = null), ['rejected']],
  [
    'a deleted file was served',
    (it) => (it.downloads = it.downloads.slice(1).map((each) => Object.assign(each, { sha256: 'b' }))),
    ['deleted file served'],
  ],
  ['a deleted file is still there', (it) => it.files.push({ ...first(it.files), id: 'file-2' }), ['deleted file kept']],
  [
    'a virus was not found',
    (it) => (first(it.uploads).isInfected = true),
    ['infected file kept', 'infected file not reported', 'infected file served'],
  ],
  ['a file was never examined', (it) => (first(it.files).scanStatus = 'PENDING'), ['file not examined']],
  ['the check finds a row without bytes', (it) => (it.store.rowsWithoutBytes = ['key']), ['lost bytes']],
  ['bytes without a row remain', (it) => (it.store.left = ['key']), ['orphaned bytes']],
  ['a process exited without a fault', (it) => (first(it.exits).cause = null), ['unexpected exit']],
  ['a process shut down with an error', (it) => (first(it.exits).code = 1), ['failed shutdown']],
  ['a process shut down too slowly', (it) => (first(it.exits).tookMs = 26_000), ['failed shutdown']],
];

for (const [name, change, rules] of planted) {
  test(`the checker detects that ${name}`, (t) => {
    t.deepEqual(violated(change), rules);
  });
}

test('a repeated success is explained by a lost worker or a database fault, if its lease had expired', (t) => {
  const after = (ms: number, ...faults: InjectedFault[]) => {
    const history = smallHistory();
    const { respondedAt } = repeat(history, ms);
    const shift = respondedAt - began;
    for (const { kind, target, from, to } of faults) {
      history.faults.push(fault(kind, target, from - began + shift, to - began + shift));
    }
    const { violations, duplicates } = check(history, end);
    return [duplicates.byKill, duplicates.byDatabase, duplicates.unexplained, violations.length];
  };
  t.deepEqual(after(60_000, fault('kill', 'worker 1', 100, 3_000)), [1, 0, 0, 0]);
  t.deepEqual(after(60_000, fault('restart', 'PostgreSQL', -100, 40_000)), [0, 1, 0, 0]);
  t.deepEqual(
    after(60_000, fault('restart', 'PostgreSQL', 100, 20_000), fault('kill', 'worker 1', 15_000, 20_000)),
    [1, 0, 0, 0],
  );
  t.deepEqual(after(2_000, fault('stop', 'worker 1', 100, 3_000)), [1, 0, 0, 0]);

  t.deepEqual(after(8_000, fault('kill', 'worker 1', 100, 3_000)), [1, 0, 0, 1]);
  t.deepEqual(after(60_000, fault('kill', 'api 1', 100, 3_000)), [0, 0, 1, 1]);
  t.deepEqual(after(60_000, fault('kill', 'worker 1', 9_000, 12_000)), [0, 0, 1, 1]);
  t.deepEqual(after(60_000, fault('kill', 'worker 1', -9_000, 3_000)), [0, 0, 1, 1]);
});

test('a failed request after a success needs an explanation, and is not counted as a duplicate', (t) => {
  const history = smallHistory();
  repeat(history, 60_000, 500);
  const { violations, duplicates } = check(history, end);
  t.deepEqual([violations.map(({ rule }) => rule), duplicates.unexplained], [['duplicate'], 0]);
});

test('an operation without a response may be applied or not, but not in part', (t) => {
  const without = (...types: string[]) =>
    violated((it) => {
      const facts = types.map((type) => ({ type, runTaskId: null }));
      it.operations.push({ ...first(it.operations), status: null, facts });
    });
  t.deepEqual(without('run.cancelled'), []);
  t.deepEqual(
    violated((it) => {
      const [last] = it.operations.slice(2);
      if (last) last.status = null;
    }),
    [],
  );
  t.deepEqual(
    violated((it) => {
      const [last] = it.operations.slice(2);
      if (last)
        Object.assign(last, { status: null, facts: [...last.facts, { type: 'run.completed', runTaskId: null }] });
    }),
    ['applied twice'],
  );
});

test('a deadline may be detected later if a fault affected the workers or the database', (t) => {
  const late = (...faults: InjectedFault[]) =>
    violated((it) => {
      for (const fact of it.activity.slice(3)) fact.at += 80_000;
      it.events = it.events.map((event) => Object.assign(event, { body: event.body.replace('12:00:20', '12:01:40') }));
      it.received = it.received.map((request) =>
        Object.assign(request, { body: request.body.replace('12:00:20', '12:01:40') }),
      );
      it.faults.push(...faults);
    });
  t.deepEqual(late(), ['late overdue']);
  t.deepEqual(late(fault('outage', 'receiver', 10_000, 80_000)), ['late overdue']);
  t.deepEqual(late(fault('restart', 'PostgreSQL', 20_000, 25_000)), []);
  t.deepEqual(late(fault('kill', 'worker 2', 20_000, 25_000)), []);
});

test('a deadline that is met, or that ends with its run, need not be detected', (t) => {
  const insteadOfOverdue = (type: string, runTaskId: string | null) =>
    violated((it) => {
      const detected = it.activity.find((fact) => fact.type === 'task.overdue') ?? first(it.activity);
      Object.assign(detected, { type, runTaskId, at: began + 4_000, deadlineAt: null });
    }).filter((rule) => rule.includes('overdue'));
  t.deepEqual(insteadOfOverdue('task.completed', 'task-2'), []);
  t.deepEqual(insteadOfOverdue('run.cancelled', null), []);
  t.deepEqual(insteadOfOverdue('run.renamed', null), ['late overdue']);
});

test('a process may fail to start while the database is down, and only with exit code 1', (t) => {
  const exited = (wasReady: boolean, code: number) =>
    violated((it) => {
      Object.assign(first(it.exits), { startedAt: began, at: began + 3_000, cause: null, code, wasReady });
      it.faults.push(fault('restart', 'PostgreSQL', 1_000, 4_000));
    });
  t.deepEqual(exited(false, 1), []);
  t.deepEqual(exited(true, 1), ['unexpected exit']);
  t.deepEqual(exited(false, 134), ['unexpected exit']);
});

test('a delivery that is still pending is lost', (t) => {
  const rules = violated((it) => {
    first(it.deliveries).status = 'PENDING';
  });
  t.deepEqual(rules, ['lost delivery']);
});

function workEvent(event: string, sequence: number, id: string) {
  const body = JSON.stringify({ event, data: { runTaskId: 'task-1' } });
  return { id, runId: 'run-1', sequence, event, body, position: null };
}
