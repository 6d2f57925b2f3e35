import type { RunState } from '@runward/engine';
import test from 'ava';
import { at } from '../support/calendar.ts';
import { processOf, task } from '../support/documents.ts';
import { begin, complete, open, reopen, setStatus } from '../support/run.ts';

const document = processOf([task('pack'), task('ship'), task('bill', { required: false })]);

test('an active run can be renamed', (t) => {
  const run = begin(document);
  t.deepEqual(run.does({ type: 'rename', title: 'Ada joins' }), ['run.renamed']);
  t.is(run.state.title, 'Ada joins');
  t.deepEqual(run.does({ type: 'rename', title: 'Ada joins' }), []);
});

test('completing a run with open required tasks is rejected with the title of each', (t) => {
  const run = begin(document);
  t.deepEqual(run.rejects({ type: 'complete' }), {
    code: 'required_tasks_open',
    message: 'Required tasks are still open: "pack", "ship"; complete them first.',
  });
  run.does(setStatus('pack', 'COMPLETED'));
  t.regex(run.rejects({ type: 'complete' }).message, / open: "ship"; /);
});

test('a run without open required tasks can be completed, even if no task was completed', (t) => {
  const run = begin(processOf([task('bill', { required: false })]));
  t.deepEqual(run.does({ type: 'complete' }), ['run.completed']);
  t.like(run.state, { status: 'COMPLETED', completedAt: at('10:00') });
  t.like(run.facts.at(-1), { type: 'run.completed', automatically: false });
  t.deepEqual(begin(processOf([])).does({ type: 'complete' }), ['run.completed']);
});

test('completing the last required task completes the run, even if optional tasks are open', (t) => {
  const run = begin(document);
  t.deepEqual(run.does(setStatus('pack', 'COMPLETED')), ['task.completed']);
  t.deepEqual(run.does(setStatus('ship', 'COMPLETED'), at('11:00')), ['task.completed', 'run.completed']);
  t.like(run.state, { status: 'COMPLETED', completedAt: at('11:00') });
  t.like(run.facts.at(-1), { type: 'run.completed', automatically: true, at: at('11:00') });
  t.is(run.task('bill').status, 'PENDING');
});

test('completing an optional task does not complete a run that has required tasks', (t) => {
  const run = begin(processOf([task('pack'), task('bill', { required: false }), task('thank', { required: false })]));
  t.deepEqual(run.does(setStatus('bill', 'COMPLETED')), ['task.completed']);
  t.deepEqual(run.does(setStatus('pack', 'COMPLETED')), ['task.completed', 'run.completed']);

  run.does({ type: 'reopen' });
  t.deepEqual(run.does(setStatus('thank', 'COMPLETED')), ['task.completed']);
  t.is(run.state.status, 'RUNNING');
  run.does(setStatus('pack', 'PENDING'));
  t.deepEqual(run.does(setStatus('pack', 'COMPLETED')), ['task.completed', 'run.completed']);
});

test('completing the last task completes a run without required tasks', (t) => {
  const run = begin(processOf([task('bill', { required: false }), task('thank', { required: false })]));
  t.deepEqual(run.does(setStatus('bill', 'COMPLETED')), ['task.completed']);
  t.deepEqual(run.does(setStatus('thank', 'COMPLETED')), ['task.completed', 'run.completed']);
  t.like(run.facts.at(-1), { type: 'run.completed', automatically: true });
});

test('a hidden task counts neither as required nor as open when a run completes', (t) => {
  const hidden = (state: RunState) => ({
    ...state,
    tasks: state.tasks.map((one) => ({ ...one, hidden: one.id !== 'bill' && one.id !== 'thank' })),
  });
  const optional = { required: false };
  const document = processOf([task('pack'), task('bill', optional), task('thank', optional), task('log', optional)]);
  const run = begin(document, { prepare: hidden });
  t.deepEqual(run.does(setStatus('bill', 'COMPLETED')), ['task.completed']);
  t.deepEqual(run.does(setStatus('thank', 'COMPLETED')), ['task.completed', 'run.completed']);
});

test('a command that completes no task does not complete the run', (t) => {
  const run = begin(processOf([task('bill', { required: false })]));
  t.deepEqual(run.does({ type: 'rename', title: 'Still open' }), ['run.renamed']);
  t.deepEqual(run.does(open('bill', 'e1')), ['entry.opened']);
  t.is(run.state.status, 'RUNNING');
});

test('a cancelled run has a cancellation time and no completion time', (t) => {
  const run = begin(document);
  t.deepEqual(run.does({ type: 'cancel' }), ['run.cancelled']);
  t.like(run.state, { status: 'CANCELLED', cancelledAt: at('10:00'), completedAt: null });
});

test('a reopened run is active, keeps its tasks unchanged and does not complete at once', (t) => {
  const run = begin(processOf([task('pack'), task('log', { required: false })]));
  t.regex(run.rejects({ type: 'reopen' }).message, /only a completed or cancelled run can be reopened\.$/);
  run.does(setStatus('pack', 'COMPLETED'));
  const { tasks } = run.state;
  t.deepEqual(run.does({ type: 'reopen' }), ['run.reopened']);
  t.like(run.state, { status: 'RUNNING', completedAt: null, cancelledAt: null });
  t.is(run.state.tasks, tasks);

  t.deepEqual(run.does({ type: 'rename', title: 'Again' }), ['run.renamed']);
  t.deepEqual(run.does(setStatus('log', 'COMPLETED')), ['task.completed']);
  t.deepEqual(run.does({ type: 'complete' }), ['run.completed']);
});

test('an entry of a completed run can be reopened after the run is reopened', (t) => {
  const run = begin(processOf([task('pack')]));
  run.does(open('pack', 'e1'));
  run.does(complete('e1'));
  t.is(run.rejects(reopen('e1')).code, 'run_terminal');
  run.does({ type: 'reopen' });
  t.deepEqual(run.does(reopen('e1')), ['entry.reopened', 'task.reopened']);
  t.deepEqual(run.does(complete('e1')), ['entry.completed', 'task.completed', 'run.completed']);
});

test('a run that has ended can be archived once, unarchived, and reopening unarchives it', (t) => {
  const run = begin(document);
  t.deepEqual(run.rejects({ type: 'archive' }), {
    code: 'run_active',
    message: 'The run "Onboarding" is RUNNING; complete or cancel it first.',
  });
  run.does({ type: 'cancel' });
  t.deepEqual(run.does({ type: 'archive' }, at('11:00')), ['run.archived']);
  t.deepEqual(run.does({ type: 'archive' }, at('12:00')), []);
  t.like(run.state, { status: 'CANCELLED', archivedAt: at('11:00') });
  t.deepEqual(run.does({ type: 'unarchive' }), ['run.unarchived']);
  t.deepEqual(run.does({ type: 'unarchive' }), []);
  t.like(run.state, { status: 'CANCELLED', archivedAt: null });
  run.does({ type: 'archive' });
  t.deepEqual(run.does({ type: 'reopen' }), ['run.reopened']);
  t.like(run.state, { status: 'RUNNING', archivedAt: null, cancelledAt: null });
});
