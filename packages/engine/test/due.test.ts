import { deadline, nextDeadline } from '@runward/engine';
import test from 'ava';
import { at, calendarAhead, environmentAt } from './support/calendar.ts';
import { processOf, task } from './support/documents.ts';
import { begin, setDue, setStatus } from './support/run.ts';

const detect = { type: 'detectOverdue' } as const;
const atEleven = { from: 'LAUNCH', offset: 'PT2H', hasTime: true } as const;
const document = processOf([task('pack', { due: atEleven }), task('ship'), task('bill', { required: false })]);

test('a task is overdue one millisecond after its deadline', (t) => {
  const run = begin(document);
  t.deepEqual(run.does(detect, at('10:59')), []);
  t.deepEqual(run.does(detect, at('11:00')), []);
  t.deepEqual(run.does(detect, '2026-03-02T11:00:00.001Z'), ['task.overdue', 'run.overdue']);
  t.like(run.facts.at(-2), { type: 'task.overdue', runTaskId: 'pack', deadlineAt: at('11:00') });
  t.is(run.state.status, 'OVERDUE');
});

test('task.overdue is recorded once per deadline, however often overdue tasks are detected', (t) => {
  const run = begin(document);
  run.does(detect, at('11:01'));
  for (const time of ['11:02', '12:00', '23:00']) t.deepEqual(run.does(detect, at(time)), []);
  run.does(setStatus('pack', 'COMPLETED'), at('11:05'));
  t.deepEqual(run.does(setStatus('pack', 'PENDING'), at('11:06')), ['task.reopened', 'run.overdue']);
});

test('every command that changes the run also records overdue tasks', (t) => {
  const run = begin(document);
  t.deepEqual(run.does({ type: 'rename', title: 'Late' }, at('12:00')), ['run.renamed', 'task.overdue', 'run.overdue']);
  t.deepEqual(run.does({ type: 'rename', title: 'Late' }, at('12:01')), []);
});

test('task.overdue is recorded for each overdue task, run.overdue once', (t) => {
  const run = begin(document);
  run.does(setDue('bill', at('11:30')));
  t.deepEqual(run.does(detect, at('11:10')), ['task.overdue', 'run.overdue']);
  t.deepEqual(run.does(detect, at('11:40')), ['task.overdue']);
  t.is(run.state.status, 'OVERDUE');
});

test('task.overdue can be recorded again after the deadline changed, but not for the same deadline', (t) => {
  const run = begin(document);
  run.does(detect, at('11:10'));
  t.deepEqual(run.does(setDue('pack', at('11:00')), at('11:11')), []);
  t.deepEqual(run.does(setDue('pack', at('12:00')), at('11:12')), ['task.due_date_changed', 'run.on_time']);
  t.false(run.task('pack').overdueSignalled);
  t.deepEqual(run.does(detect, at('12:01')), ['task.overdue', 'run.overdue']);
  t.deepEqual(run.does(setDue('pack', at('11:30')), at('12:02')), ['task.due_date_changed', 'task.overdue']);
  t.is(run.state.status, 'OVERDUE');
});

test('another due date without a time on the same day has the same deadline', (t) => {
  const run = begin(document);
  run.does(setDue('pack', at('08:00', '2026-03-01'), false));
  t.true(run.task('pack').overdueSignalled);
  t.deepEqual(run.does(setDue('pack', at('20:00', '2026-03-01'), false)), ['task.due_date_changed']);
  t.like(run.task('pack'), { dueAt: at('20:00', '2026-03-01'), overdueSignalled: true });
});

test('a run is RUNNING again when no task is overdue any more', (t) => {
  const finished = begin(document);
  finished.does(detect, at('11:10'));
  t.deepEqual(finished.does(setStatus('pack', 'COMPLETED'), at('11:11')), ['task.completed', 'run.on_time']);
  t.is(finished.state.status, 'RUNNING');

  const cleared = begin(document);
  cleared.does(detect, at('11:10'));
  t.deepEqual(cleared.does(setDue('pack', null), at('11:11')), ['task.due_date_changed', 'run.on_time']);
  t.like(cleared.task('pack'), { dueAt: null, dueAtHasTime: true, deadlineAt: null });

  const two = begin(document);
  two.does(setDue('ship', at('10:30')));
  two.does(detect, at('11:10'));
  t.deepEqual(two.does(setStatus('pack', 'COMPLETED'), at('11:11')), ['task.completed']);
  t.is(two.state.status, 'OVERDUE');
});

test('an optional task can make a run OVERDUE, and an OVERDUE run can be completed', (t) => {
  const run = begin(processOf([task('pack'), task('bill', { required: false, due: atEleven })]));
  t.deepEqual(run.does(detect, at('11:10')), ['task.overdue', 'run.overdue']);
  t.deepEqual(run.does(setStatus('pack', 'COMPLETED'), at('11:11')), ['task.completed', 'run.completed']);
  t.is(run.state.status, 'COMPLETED');
});

test('task.overdue is not recorded by the command that completes the run', (t) => {
  const run = begin(processOf([task('pack'), task('bill', { required: false, due: atEleven })]));
  t.deepEqual(run.does(setStatus('pack', 'COMPLETED'), at('11:11')), ['task.completed', 'run.completed']);
});

test('a run that has ended is not OVERDUE; reopening it makes it OVERDUE without recording task.overdue again', (t) => {
  const run = begin(document);
  run.does(detect, at('11:10'));
  run.does({ type: 'cancel' }, at('11:11'));
  t.deepEqual(run.does(detect, at('11:12')), []);
  t.deepEqual(run.does({ type: 'reopen' }, at('11:13')), ['run.reopened', 'run.overdue']);
  t.is(run.state.status, 'OVERDUE');

  const early = begin(document);
  early.does({ type: 'cancel' });
  t.deepEqual(early.does({ type: 'reopen' }, at('10:30')), ['run.reopened']);
  early.does({ type: 'cancel' });
  t.deepEqual(early.does({ type: 'reopen' }, at('11:13')), ['run.reopened', 'task.overdue', 'run.overdue']);
});

const reminded = (due: object = {}) =>
  begin(processOf([task('pack', { due: { from: 'LAUNCH', offset: 'PT8H', hasTime: true, ...due } }), task('ship')]), {
    remindBefore: 'PT2H',
  });

test('task.due_soon is recorded once between the reminder and the deadline', (t) => {
  const run = reminded();
  t.is(nextDeadline(run.state), at('15:00'));
  t.deepEqual(run.does(detect, at('15:00')), []);
  t.deepEqual(run.does(detect, at('15:01')), ['task.due_soon']);
  t.like(run.facts.at(-1), { runTaskId: 'pack', deadlineAt: at('17:00') });
  t.is(nextDeadline(run.state), at('17:00'));
  t.deepEqual(run.does(detect, at('15:02')), []);
  t.deepEqual(run.does(detect, at('17:01')), ['task.overdue', 'run.overdue']);
  t.is(nextDeadline(run.state), null);
});

test('the due rule of a task decides when its reminder is due, and whether there is one', (t) => {
  t.is(nextDeadline(reminded({ remindBefore: 'PT3H' }).state), at('14:00'));
  t.is(nextDeadline(reminded({ remindBefore: 'PT0S' }).state), at('17:00'));
});

test('a moved due date has a reminder of its own, unless it is too near', (t) => {
  const run = reminded();
  run.does(detect, at('15:01'));
  run.does(setDue('pack', at('20:00')), at('15:02'));
  t.deepEqual(run.does(detect, at('18:01')), ['task.due_soon']);
  run.does(setDue('pack', at('19:30')), at('18:02'));
  t.is(run.task('pack').dueSoonAt, null);
  t.deepEqual(run.does(detect, at('18:03')), []);
});

test('a deadline that was missed before anyone looked has no reminder any more', (t) => {
  const run = reminded();
  t.deepEqual(run.does(detect, at('18:00')), ['task.overdue', 'run.overdue']);
  t.is(run.task('pack').dueSoonAt, null);
});

test('a completed task has no reminder; reopened before its deadline, it has', (t) => {
  const run = reminded();
  run.does(setStatus('pack', 'COMPLETED'), at('14:00'));
  t.is(nextDeadline(run.state), null);
  t.deepEqual(run.does(detect, at('15:30')), []);
  t.deepEqual(run.does(setStatus('pack', 'PENDING'), at('15:31')), ['task.reopened', 'task.due_soon']);
});

test('the deadline of a due date without a time is the end of that day in the calendar', (t) => {
  const tokyo = calendarAhead(9);
  t.deepEqual(deadline(at('20:00'), false, null, environmentAt(at('10:00'), tokyo)), {
    dueAt: at('20:00'),
    dueAtHasTime: false,
    deadlineAt: '2026-03-03T14:59:59.999Z',
  });
  t.is(deadline(at('20:00'), true, null, environmentAt(at('10:00'), tokyo)).deadlineAt, at('20:00'));
  t.is(deadline(null, false, null, environmentAt(at('10:00'), tokyo)).deadlineAt, null);

  const run = begin(document, { calendar: tokyo });
  run.does(setDue('pack', at('20:00'), false));
  t.deepEqual(run.does(detect, '2026-03-03T14:59:59.999Z'), []);
  t.deepEqual(run.does(detect, '2026-03-03T15:00:00.000Z'), ['task.overdue', 'run.overdue']);
});

test('adding a time to the same due date is a change', (t) => {
  const run = begin(document);
  run.does(setDue('ship', at('20:00'), false));
  t.deepEqual(run.does(setDue('ship', at('20:00'), true)), ['task.due_date_changed']);
  t.like(run.task('ship'), { dueAtHasTime: true, deadlineAt: at('20:00') });
});

test('a due date without a flag keeps the flag of the deadline; a task without a deadline gets one with a time', (t) => {
  const run = begin(document);
  const set = (dueAt: string | null, dueAtHasTime?: boolean) => {
    const types = run.does({ type: 'setDueDate', runTaskId: 'ship', dueAt, dueAtHasTime });
    return [types.length, run.task('ship').dueAtHasTime];
  };
  t.deepEqual(set(at('20:00')), [1, true]);
  t.deepEqual(set(at('20:00'), false), [1, false]);
  t.deepEqual(set(at('21:00')), [1, false]);
  t.is(run.task('ship').deadlineAt, '2026-03-02T23:59:59.999Z');
  t.deepEqual(set(null), [1, false]);
  t.deepEqual(set(null), [0, false]);
  t.deepEqual(set(at('20:00')), [1, true]);
});

test('nextDeadline is the earliest deadline for which task.overdue was not recorded', (t) => {
  const run = begin(document);
  run.does(setDue('ship', at('10:30')));
  t.is(nextDeadline(run.state), at('10:30'));
  run.does(detect, at('10:31'));
  t.is(nextDeadline(run.state), at('11:00'));
  run.does(setStatus('pack', 'COMPLETED'), at('10:32'));
  t.is(nextDeadline(run.state), null);
  run.does(setStatus('pack', 'PENDING'), at('10:33'));
  t.is(nextDeadline(run.state), at('11:00'));
  run.does({ type: 'cancel' }, at('10:34'));
  t.is(nextDeadline(run.state), null);
});
