import type { Command, RunState } from '@runward/engine';
import test from 'ava';
import { at } from '../support/calendar.ts';
import { field, processOf, task } from '../support/documents.ts';
import { begin, complete, open, reopen, setDue, setStatus, submit } from '../support/run.ts';

const document = processOf([
  task('pack', { assigneeId: 'ada', fields: [field('name', { required: true })] }),
  task('ship'),
]);

const assign = (runTaskId: string, assigneeId: string | null, assigneeGroupId: string | null = null): Command => ({
  type: 'assign',
  runTaskId,
  assigneeId,
  assigneeGroupId,
});

/** Hides one task, as a rule would. */
const hiding = (runTaskId: string) => (state: RunState) => ({
  ...state,
  tasks: state.tasks.map((task) => (task.id === runTaskId ? { ...task, hidden: true } : task)),
});

test('setting the status of a task directly skips its form', (t) => {
  const run = begin(document);
  t.deepEqual(run.does(setStatus('pack', 'COMPLETED')), ['task.completed']);
  t.like(run.task('pack'), { status: 'COMPLETED', completedAt: at('10:00'), completedByUserId: 'grace', entries: [] });
  t.like(run.facts.at(-1), { type: 'task.completed', runTaskId: 'pack', directly: true });

  t.deepEqual(run.does(setStatus('pack', 'PENDING')), ['task.reopened']);
  t.like(run.task('pack'), { status: 'PENDING', completedAt: null, completedByUserId: null });
});

test('setting the status that a task already has changes nothing', (t) => {
  const run = begin(document);
  const before = run.state;
  t.deepEqual(run.does(setStatus('pack', 'PENDING')), []);
  t.is(run.state, before);
  run.does(setStatus('pack', 'COMPLETED'));
  t.deepEqual(run.does(setStatus('pack', 'COMPLETED'), at('11:00')), []);
  t.is(run.task('pack').completedAt, at('10:00'));
});

test('completing the last required task completes the run, directly or through its form', (t) => {
  const directly = begin(document);
  directly.does(setStatus('pack', 'COMPLETED'));
  t.deepEqual(directly.does(setStatus('ship', 'COMPLETED')), ['task.completed', 'run.completed']);

  const byForm = begin(document);
  byForm.does(setStatus('ship', 'COMPLETED'));
  byForm.does(open('pack', 'e1'));
  byForm.does(submit('e1', { name: 'Ada' }));
  t.deepEqual(byForm.does(complete('e1')), ['entry.completed', 'task.completed', 'run.completed']);
});

test('a task can be assigned to a user, to a group and to no one', (t) => {
  const run = begin(document);
  t.is(run.task('pack').assigneeId, 'ada');
  t.deepEqual(run.does(assign('pack', 'ada')), []);
  t.deepEqual(run.does(assign('pack', 'grace')), ['task.assigned']);
  t.like(run.task('pack'), { assigneeId: 'grace', assigneeGroupId: null });
  t.deepEqual(run.does(assign('pack', null, 'drivers')), ['task.assigned']);
  t.like(run.task('pack'), { assigneeId: null, assigneeGroupId: 'drivers' });
  t.deepEqual(run.does(assign('pack', null)), ['task.assigned']);
  t.like(run.task('pack'), { assigneeId: null, assigneeGroupId: null });
  t.deepEqual(run.does(assign('pack', null)), []);
});

test('an assignee that is left out is unchanged, unless it is replaced', (t) => {
  const run = begin(document);
  const change = (changes: { assigneeId?: string | null; assigneeGroupId?: string | null }) => {
    const types = run.does({ type: 'assign', runTaskId: 'pack', ...changes });
    const { assigneeId, assigneeGroupId } = run.task('pack');
    return [types.length, assigneeId, assigneeGroupId];
  };
  t.deepEqual(change({ assigneeGroupId: null }), [0, 'ada', null]);
  t.deepEqual(change({}), [0, 'ada', null]);
  t.deepEqual(change({ assigneeGroupId: 'drivers' }), [1, null, 'drivers']);
  t.deepEqual(change({ assigneeId: null }), [0, null, 'drivers']);
  t.deepEqual(change({ assigneeId: 'grace' }), [1, 'grace', null]);
  t.deepEqual(change({ assigneeId: null }), [1, null, null]);
});

test('assigning a task to a user and a group is rejected', (t) => {
  t.deepEqual(begin(document).rejects(assign('pack', 'grace', 'drivers')), {
    code: 'validation_failed',
    message: 'assigneeGroupId: a task has one assignee, a user or a group; send null for one of them',
  });
});

test('a completed task can be assigned and given a due date', (t) => {
  const run = begin(document);
  run.does(setStatus('pack', 'COMPLETED'));
  t.deepEqual(run.does(assign('pack', 'grace')), ['task.assigned']);
  t.deepEqual(run.does(setDue('pack', at('08:00'))), ['task.due_date_changed']);
  t.is(run.state.status, 'RUNNING');
});

test('a command on a task of another run is rejected', (t) => {
  const run = begin(document);
  for (const command of [setStatus('x', 'COMPLETED'), assign('x', 'ada'), setDue('x', null)]) {
    t.deepEqual(run.rejects(command), {
      code: 'validation_failed',
      message: 'The run has no task x; use the id of one of its tasks.',
    });
  }
});

test('a command on a hidden task is rejected', (t) => {
  const run = begin(document, { prepare: hiding('pack') });
  const commands = [setStatus('pack', 'COMPLETED'), assign('pack', 'grace'), setDue('pack', null), open('pack', 'e1')];
  for (const command of commands) {
    t.deepEqual(run.rejects(command), {
      code: 'task_hidden',
      message: 'The task "pack" is hidden by a rule; change the values that the rule depends on first.',
    });
  }
});

test('a hidden task neither keeps a run from completing nor makes it overdue', (t) => {
  const run = begin(document, { prepare: hiding('pack') });
  t.deepEqual(run.does(setStatus('ship', 'COMPLETED')), ['task.completed', 'run.completed']);

  const overdue = processOf([task('pack', { due: { from: 'LAUNCH', offset: 'PT5M', hasTime: true } }), task('ship')]);
  t.deepEqual(begin(overdue, { prepare: hiding('pack') }).does({ type: 'detectOverdue' }), []);
  t.deepEqual(begin(overdue).does({ type: 'detectOverdue' }), ['task.overdue', 'run.overdue']);
});

test('commands on a run that has ended are rejected or change nothing', (t) => {
  for (const [end, status] of [
    ['complete', 'COMPLETED'],
    ['cancel', 'CANCELLED'],
  ] as const) {
    const run = begin(processOf([task('pack', { required: false }), task('log', { required: false })]));
    run.does(open('pack', 'e1'));
    run.does(open('log', 'e2'));
    run.does({ type: end });
    const commands: Command[] = [
      setStatus('log', 'COMPLETED'),
      assign('log', 'ada'),
      setDue('log', at('12:00')),
      open('log', 'e3'),
      submit('e1', {}),
      complete('e1'),
      reopen('e1'),
      { type: 'rename', title: 'Another' },
      { type: 'complete' },
      { type: 'cancel' },
    ];
    for (const command of commands) {
      t.deepEqual(run.rejects(command), {
        code: 'run_terminal',
        message: `The run is ${status}; reopen it first.`,
      });
    }
    t.deepEqual(run.does(setStatus('log', 'PENDING')), []);
    t.deepEqual(run.does({ type: 'detectOverdue' }, at('23:00')), []);
  }
});
