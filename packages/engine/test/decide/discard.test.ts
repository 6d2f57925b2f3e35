import test from 'ava';
import { at } from '../support/calendar.ts';
import { field, processOf, task } from '../support/documents.ts';
import { begin, complete, discard, open, reopen, setStatus, submit } from '../support/run.ts';

/** Completing another task does not complete the run, because `last` is still open. */
const document = processOf([
  task('pack', { fields: [field('name')] }),
  task('log', { repeatable: true }),
  task('last'),
]);

test('a discarded entry is no longer part of its task, and its values stay in the facts', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  run.does(submit('e1', { name: 'Ada' }));
  t.deepEqual(run.does(discard('e1')), ['entry.discarded']);
  t.like(run.task('pack'), { status: 'PENDING', entries: [] });
  t.true(run.facts.some((fact) => fact.type === 'value.submitted' && fact.value === 'Ada'));
  for (const command of [submit('e1', {}), complete('e1'), reopen('e1'), discard('e1')]) {
    t.is(run.rejects(command).code, 'validation_failed');
  }
  t.deepEqual(run.does(open('pack', 'e2')), ['entry.opened']);
});

test('a completed entry, and an entry of a completed task, cannot be discarded', (t) => {
  const run = begin(document);
  run.does(open('pack', 'e1'));
  run.does(complete('e1'));
  t.deepEqual(run.rejects(discard('e1')), {
    code: 'entry_completed',
    message: 'The entry e1 is completed; reopen it first.',
  });
  run.does(open('log', 'e2'));
  run.does(setStatus('log', 'COMPLETED'));
  t.is(run.rejects(discard('e2')).code, 'task_completed');
});

test('discarding the last open entry of a repeatable task completes the task if it was completed before', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  run.does(complete('e1'));
  run.does(open('log', 'e2'));
  run.does(open('log', 'e3'));
  t.is(run.task('log').status, 'PENDING');
  t.deepEqual(run.does(discard('e2')), ['entry.discarded']);
  t.deepEqual(run.does(discard('e3'), at('11:00')), ['entry.discarded', 'task.completed']);
  t.like(run.task('log'), { status: 'COMPLETED', completedAt: at('11:00'), completedByUserId: 'grace' });
});

test('discarding the last open entry completes the task if another entry was completed meanwhile', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  run.does(open('log', 'e2'));
  t.deepEqual(run.does(complete('e1')), ['entry.completed']);
  t.deepEqual(run.does(discard('e2')), ['entry.discarded', 'task.completed']);
});

test('discarding an entry leaves a task PENDING that was never completed or was set to PENDING', (t) => {
  const fresh = begin(document);
  fresh.does(open('log', 'e1'));
  t.deepEqual(fresh.does(discard('e1')), ['entry.discarded']);

  const again = begin(document);
  again.does(open('log', 'e1'));
  again.does(complete('e1'));
  again.does(setStatus('log', 'PENDING'));
  again.does(open('log', 'e2'));
  t.deepEqual(again.does(discard('e2')), ['entry.discarded']);
  t.is(again.task('log').status, 'PENDING');
});

test('a reopened entry can be discarded; its task is completed only if another entry of it is', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  run.does(complete('e1'));
  run.does(open('log', 'e2'));
  run.does(complete('e2'));
  run.does(reopen('e2'));
  t.deepEqual(run.does(discard('e2')), ['entry.discarded', 'task.completed']);
  run.does(reopen('e1'));
  t.deepEqual(run.does(discard('e1')), ['entry.discarded']);
  t.is(run.task('log').status, 'PENDING');
});

test('a task that was set to PENDING stays PENDING when a reopened entry of it is discarded', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  run.does(complete('e1'));
  run.does(open('log', 'e2'));
  run.does(complete('e2'));
  run.does(setStatus('log', 'PENDING'));
  run.does(reopen('e2'));
  t.deepEqual(run.does(discard('e2')), ['entry.discarded']);
});

test('a run completes when discarding an entry completes its last required task', (t) => {
  const run = begin(document);
  run.does(open('log', 'e1'));
  run.does(complete('e1'));
  run.does(open('log', 'e2'));
  run.does(setStatus('pack', 'COMPLETED'));
  t.deepEqual(run.does(setStatus('last', 'COMPLETED')), ['task.completed']);
  t.deepEqual(run.does(discard('e2')), ['entry.discarded', 'task.completed', 'run.completed']);
  t.is(run.rejects(discard('e1')).code, 'run_terminal');
});
