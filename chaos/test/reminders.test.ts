import test from 'ava';
import { checkReminders } from '../checker/reminders.ts';
import type { ActivityRow, InjectedFault } from '../history/history.ts';

const runId = 'run-1';
const end = 1_000_000;
const dueSoonAt = 50_000;
const deadlineAt = 200_000;

function fact(at: number, type: string, runTaskId: string | null = null): ActivityRow {
  const actor = { type: 'SYSTEM' as const, userId: null, apiKeyId: null };
  const data = type === 'task.due_date_changed' ? { dueSoonAt: new Date(dueSoonAt).toISOString() } : {};
  const line = { id: `line-${at}`, sequence: at, type, at: '', actor, runTaskId, data, hash: '' };
  return { runId, sequence: at, type, at, runTaskId, deadlineAt: runTaskId === null ? null : deadlineAt, line };
}

const started = [fact(0, 'run.started'), fact(1_000, 'task.due_date_changed', 'task')];
const reminder = (at: number) => fact(at, 'task.due_soon', 'task');

function rulesOf(later: readonly ActivityRow[], faults: readonly InjectedFault[] = []): string[] {
  const activity = [...started, ...later].sort((one, other) => one.at - other.at);
  return checkReminders({ activity, faults }, end).map(({ rule }) => rule);
}

test('a reminder that is recorded once, within a minute after it is due, keeps the promise', (t) => {
  t.deepEqual(rulesOf([reminder(60_000)]), []);
});

test('a deadline needs no reminder if its task or its run ends before', (t) => {
  t.deepEqual(rulesOf([fact(60_000, 'task.completed', 'task')]), []);
  t.deepEqual(rulesOf([fact(60_000, 'run.cancelled')]), []);
});

test('the checker detects each reminder that is wrong', (t) => {
  t.deepEqual(rulesOf([]), ['lost reminder']);
  t.deepEqual(rulesOf([reminder(60_000), reminder(70_000)]), ['duplicate reminder']);
  t.deepEqual(rulesOf([reminder(150_000)]), ['late reminder']);
  t.deepEqual(rulesOf([reminder(40_000), reminder(60_000)]), ['duplicate reminder', 'phantom reminder']);
  t.deepEqual(rulesOf([reminder(60_000), { ...reminder(70_000), deadlineAt: 1 }]), ['phantom reminder']);
  t.deepEqual(rulesOf([reminder(201_000)]), ['phantom reminder', 'late reminder']);
  t.deepEqual(rulesOf([fact(55_000, 'task.completed', 'task'), reminder(60_000)]), ['phantom reminder']);
});

test('a reminder may be late, or missing, if faults affected the workers or the database until then', (t) => {
  const fault = (target: string, from: number, to: number): InjectedFault => {
    return { kind: 'kill', target, name: target, from, to };
  };
  t.deepEqual(rulesOf([reminder(150_000)], [fault('worker 1', 60_000, 80_000)]), []);
  t.deepEqual(rulesOf([], [fault('worker 1', 60_000, 180_000)]), []);
  t.deepEqual(rulesOf([reminder(150_000)], [fault('api 1', 60_000, 80_000)]), ['late reminder']);
});
