import { decide, nextDeadline, type DueRule, type Instant, type RunState } from '@runward/engine';
import test from 'ava';
import { at, calendarAhead, environmentAt, utc } from '../support/calendar.ts';
import { processOf, task } from '../support/documents.ts';
import { accepted, begin, setStatus } from '../support/run.ts';

const today: DueRule = { from: 'LAUNCH', offset: 'PT0S', hasTime: false };
const tokyo = calendarAhead(9);
const endOfDayInTokyo = '2026-03-02T14:59:59.999Z';
const endOfDayInUtc = '2026-03-02T23:59:59.999Z';

const move = (state: RunState, calendar = tokyo, now: Instant = at('10:00')) =>
  accepted(decide(state, { type: 'moveDeadlines' }, environmentAt(now, calendar)));
const typesOf = ({ facts }: { facts: readonly { type: string }[] }) => facts.map(({ type }) => type);

test('moving deadlines sets each open date-only deadline to the end of its day in the new calendar', (t) => {
  const document = processOf([
    task('pack', { due: today }),
    task('call', { due: { from: 'LAUNCH', offset: 'PT2H', hasTime: true } }),
    task('ship'),
    task('bill', { due: today }),
  ]);
  const { state, facts } = move(begin(document).state);
  t.deepEqual(
    facts,
    ['pack', 'bill'].map((runTaskId) => ({
      type: 'task.deadline_moved' as const,
      at: at('10:00'),
      runTaskId,
      deadlineAt: endOfDayInTokyo,
    })),
  );
  t.deepEqual(
    state.tasks.map(({ deadlineAt }) => deadlineAt),
    [endOfDayInTokyo, at('11:00'), null, endOfDayInTokyo],
  );
  t.is(nextDeadline(state), at('11:00'));
});

test('moving deadlines to a calendar in which they do not change has no facts', (t) => {
  const { state } = begin(processOf([task('pack', { due: today })]));
  const decision = move(state, utc);
  t.deepEqual(decision.facts, []);
  t.is(decision.state, state);
});

test('a deadline that was kept while its task or its run had ended is moved when that is reopened', (t) => {
  const environment = environmentAt(at('10:00'), tokyo);
  const run = begin(processOf([task('pack', { due: today }), task('ship', { due: today }), task('last')]));
  run.does(setStatus('pack', 'COMPLETED'));
  const ofTask = accepted(decide(move(run.state).state, setStatus('pack', 'PENDING'), environment));
  t.deepEqual(typesOf(ofTask), ['task.reopened', 'task.deadline_moved']);
  run.does({ type: 'cancel' });
  const ofRun = accepted(decide(run.state, { type: 'reopen' }, environment));
  t.deepEqual(typesOf(ofRun), ['run.reopened', 'task.deadline_moved']);
  t.like(ofRun.facts[1], { runTaskId: 'ship', deadlineAt: endOfDayInTokyo });
  t.deepEqual(
    ofTask.state.tasks.map(({ deadlineAt }) => deadlineAt),
    [endOfDayInTokyo, endOfDayInTokyo, null],
  );
});

test('moving deadlines includes hidden tasks and leaves out completed ones', (t) => {
  const document = processOf([task('pack', { due: today }), task('ship', { due: today }), task('last')]);
  const run = begin(document, {
    prepare: (state) => ({
      ...state,
      tasks: state.tasks.map((one) => (one.id === 'pack' ? { ...one, hidden: true } : one)),
    }),
  });
  run.does(setStatus('ship', 'COMPLETED'));
  const { state } = move(run.state);
  t.deepEqual(
    state.tasks.map(({ deadlineAt }) => deadlineAt),
    [endOfDayInTokyo, endOfDayInUtc, null],
  );
  t.is(nextDeadline(state), null);
});

test('a deadline moved into the past is recorded as overdue at once', (t) => {
  const run = begin(processOf([task('pack', { due: today })]));
  const { facts, state } = move(run.state, tokyo, at('20:00'));
  t.deepEqual(typesOf({ facts }), ['task.deadline_moved', 'task.overdue', 'run.overdue']);
  t.is(state.status, 'OVERDUE');
});

test('a missed deadline that is moved can be recorded as overdue again', (t) => {
  const run = begin(processOf([task('pack', { due: today })]), { calendar: tokyo });
  run.does({ type: 'detectOverdue' }, at('20:00'));

  const later = move(run.state, utc, at('20:00'));
  t.deepEqual(typesOf(later), ['task.deadline_moved', 'run.on_time']);
  t.like(later.state, { status: 'RUNNING', tasks: [{ deadlineAt: endOfDayInUtc, overdueSignalled: false }] });
  t.is(nextDeadline(later.state), endOfDayInUtc);

  const earlier = move(run.state, calendarAhead(12), at('20:00'));
  t.deepEqual(typesOf(earlier), ['task.deadline_moved', 'task.overdue']);
  t.is(earlier.state.status, 'OVERDUE');
});

test('moving deadlines does not change a run that has ended', (t) => {
  const run = begin(processOf([task('pack', { due: today })]));
  run.does({ type: 'cancel' });
  t.deepEqual(move(run.state).facts, []);
  run.does({ type: 'reopen' });
  t.deepEqual(typesOf(move(run.state)), ['task.deadline_moved']);
});
