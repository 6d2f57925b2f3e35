import test from 'ava';
import { checkNotifications } from '../checker/notifications.ts';
import type { ActivityRow, EventRow } from '../history/history.ts';
import type { MailMember, NotificationRow } from '../history/mail-history.ts';

const runId = 'run-1';
const members: readonly MailMember[] = [
  { id: 'ada', groupIds: ['finance'], choices: {} },
  { id: 'alan', groupIds: [], choices: { ASSIGNED: 'NEVER' } },
  { id: 'grace', groupIds: ['finance'], choices: { MENTIONED: 'DIGEST' } },
  { id: 'mary', groupIds: [], choices: {} },
];

function fact(
  sequence: number,
  type: string,
  data: Readonly<Record<string, unknown>> = {},
  userId = 'mary',
): ActivityRow {
  const runTaskId = (data['runTaskId'] as string | undefined) ?? null;
  const actor = { type: 'USER' as const, userId, apiKeyId: null };
  const line = { id: `line-${sequence}`, sequence, type, at: '', actor, runTaskId, data, hash: '' };
  return { runId, sequence, type, at: 0, runTaskId, deadlineAt: null, line };
}

function eventOf(sequence: number, event: string, data: Readonly<Record<string, unknown>>): EventRow {
  const body = JSON.stringify({ event, data: { runId, ...data } });
  return { id: `event-${sequence}`, runId, sequence, event, body, position: sequence };
}

/** Ada's group has a task, Alan another one; an approval was requested and rejected; Grace was mentioned. */
const activity = [
  fact(1, 'run.started'),
  fact(2, 'task.assigned', { runTaskId: 'pay', assigneeId: null, assigneeGroupId: 'finance' }),
  fact(3, 'task.assigned', { runTaskId: 'call', assigneeId: 'alan', assigneeGroupId: null }),
  fact(4, 'entry.opened', { runTaskId: 'sign', entryId: 'entry' }),
  fact(5, 'approval.requested', { runTaskId: 'sign', entryId: 'entry' }),
  fact(6, 'approval.rejected', { runTaskId: 'sign', entryId: 'entry' }, 'ada'),
  fact(7, 'comment.created', { commentId: 'comment' }),
];
const mentions = { users: [{ id: 'grace' }, { id: 'mary' }], groups: [] };
const events = [
  eventOf(2, 'task.assigned', { runTaskId: 'pay', actorUserId: 'mary', ready: true }),
  eventOf(3, 'task.assigned', { runTaskId: 'call', actorUserId: 'mary', ready: true }),
  eventOf(5, 'approval.requested', { runTaskId: 'sign', executionEntryId: 'entry' }),
  eventOf(6, 'approval.rejected', { runTaskId: 'sign', executionEntryId: 'entry' }),
  eventOf(7, 'comment.created', { commentId: 'comment', runTaskId: null, actorUserId: 'mary', mentions }),
];

const told = (sequence: number, userId: string, kind: string, droppedReason: string | null = null): NotificationRow => {
  const id = `${sequence}-${userId}`;
  return { id, userId, kind, eventId: `event-${sequence}`, dueAt: 0, mailId: null, droppedReason };
};
const all = [
  told(2, 'ada', 'ASSIGNED'),
  told(2, 'grace', 'ASSIGNED'),
  told(6, 'mary', 'REJECTED'),
  told(7, 'grace', 'MENTIONED'),
];

function rulesOf(notifications: readonly NotificationRow[], later: readonly ActivityRow[] = []): string[] {
  const mail = { members, approverIds: ['ada'], notifications, mails: [], received: [] };
  return checkNotifications({ activity: [...activity, ...later], events, mail }).map(({ rule }) => rule);
}

test('notifications of everyone whom an event concerns, who wants them and did not cause it, keep the promise', (t) => {
  t.deepEqual(rulesOf(all), []);
  t.deepEqual(rulesOf([...all, told(5, 'ada', 'APPROVAL', 'OBSOLETE')]), [], 'who decided at once may be told or not');
});

test('the checker detects each notification that is missing', (t) => {
  for (const missing of all) t.deepEqual(rulesOf(all.filter((each) => each !== missing)), ['lost notification']);
});

const planted: readonly (readonly [string, NotificationRow, readonly string[]])[] = [
  ['is there twice', told(2, 'ada', 'ASSIGNED'), ['duplicate notification']],
  ['is of another kind', told(5, 'ada', 'DUE_SOON'), ['phantom notification']],
  ['has no event', told(9, 'ada', 'ASSIGNED'), ['phantom notification']],
  ['goes to someone who does not want it', told(3, 'alan', 'ASSIGNED'), ['phantom notification']],
  ['goes to someone who caused it', told(7, 'mary', 'MENTIONED'), ['phantom notification']],
  ['goes to someone whom it does not concern', told(2, 'mary', 'ASSIGNED'), ['phantom notification']],
];

for (const [name, extra, rules] of planted) {
  test(`the checker detects a notification that ${name}`, (t) => {
    t.deepEqual(rulesOf([...all, extra]), rules);
  });
}

test('a notification may be dropped only after a change that ends what it says', (t) => {
  const dropped = (reason: string, ...later: readonly ActivityRow[]) =>
    rulesOf([told(2, 'ada', 'ASSIGNED', reason), ...all.slice(1)], later);
  t.deepEqual(dropped('OBSOLETE', fact(8, 'task.completed', { runTaskId: 'pay' })), []);
  t.deepEqual(dropped('OBSOLETE', fact(8, 'run.cancelled')), []);
  t.deepEqual(dropped('OBSOLETE'), ['dropped notification']);
  t.deepEqual(dropped('OBSOLETE', fact(8, 'task.completed', { runTaskId: 'call' })), ['dropped notification']);
  t.deepEqual(dropped('OBSOLETE', fact(8, 'task.overdue', { runTaskId: 'pay' })), ['dropped notification']);
  t.deepEqual(dropped('UNWANTED', fact(8, 'run.cancelled')), ['dropped notification']);
});

test('a task that was assigned again may have notified who had it, and must notify who has it', (t) => {
  const later = [fact(8, 'task.assigned', { runTaskId: 'pay', assigneeId: 'mary', assigneeGroupId: null })];
  t.deepEqual(rulesOf(all, later), []);
  t.deepEqual(rulesOf(all.slice(2), later), []);
  t.deepEqual(rulesOf([...all.slice(2), told(2, 'alan', 'ASSIGNED')], later), ['phantom notification']);
});
