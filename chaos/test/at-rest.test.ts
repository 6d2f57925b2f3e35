import test from 'ava';
import { checkAtRest, type AtRest } from '../at-rest/check-at-rest.ts';
import { began, smallHistory } from './small-history.ts';

const rowCount = { id: 'source', rowCount: 2, activeRowCount: 1, rows: 2, activeRows: 1 };

/** What is wrong with a database without violations after a change. */
function violated(change: Partial<AtRest>): string[] {
  return checkAtRest({ ...smallHistory(), rowCounts: [rowCount], auditLogs: [], ...change }).map(({ rule }) => rule);
}

test('a database that keeps every promise has no violations', (t) => {
  t.deepEqual(violated({ rowCounts: [rowCount], auditLogs: [{ organizationId: 'one', problem: null }] }), []);
});

test('a database with a wrong chain, event, counter, file or row count violates that rule', (t) => {
  const { activity, events } = smallHistory();
  t.deepEqual(violated({ activity: activity.slice(0, -1) }), ['broken chain']);
  t.deepEqual(violated({ events: events.slice(1) }), ['lost event']);
  t.deepEqual(violated({ files: [] }), ['lost file']);
  t.deepEqual(violated({ store: { rowsWithoutBytes: ['files/lost'] } }), ['lost bytes']);
  t.deepEqual(violated({ rowCounts: [{ ...rowCount, rows: 3 }] }), ['wrong row count']);
  t.deepEqual(violated({ auditLogs: [{ organizationId: 'one', problem: 'Line 2 was changed.' }] }), ['broken chain']);
  const counter = { templateId: 'template', status: 'RUNNING', archived: false } as const;
  const counted = { ...counter, counted: 2, runs: 1, countedTasks: 2, tasks: 2 };
  t.deepEqual(violated({ counters: [counted] }), ['wrong counter']);
});

test('events of old facts may have been deleted, and those of others may not', (t) => {
  const [first, ...events] = smallHistory().events;
  const found = { ...smallHistory(), rowCounts: [], auditLogs: [], events };
  const since = (ms: number) => checkAtRest(found, began + ms).map(({ rule }) => rule);
  t.is(first?.event, 'run.started');
  t.deepEqual(since(500), []);
  t.deepEqual(since(0), ['lost event']);
});

test('a rule sync that a worker has yet to finish is no violation, and one that failed is', (t) => {
  const sync = { templateId: 'template', total: 2, processed: 1 };
  t.deepEqual(violated({ ruleSyncs: [{ ...sync, status: 'RUNNING' }] }), []);
  t.deepEqual(violated({ ruleSyncs: [{ ...sync, status: 'FAILED' }] }), ['unfinished rule sync']);
});
