import { formats } from '@runward/contract';
import {
  addTask,
  duplicateDocument,
  duplicateTasks,
  removeTask,
  removeTasks,
  replaceDocument,
  updateTask,
  updateTasks,
  validate,
  type Edited,
  type TaskChanges,
} from '@runward/engine';
import test from 'ava';
import { field, phase, processOf, task } from '../support/documents.ts';
import { counter, edited, rejectionOf } from '../support/edits.ts';

const document = processOf(
  [task('a', { assigneeId: 'ada' }), task('b', { fields: [field('name'), field('size')] }), task('c')],
  { phases: [phase('first')] },
);
const titles = (result: Edited<unknown>) => edited(result).document.tasks.map(({ title }) => title);

test('a new task is required, not repeatable and otherwise empty', (t) => {
  const { document: next, value } = edited(addTask(document, 'new', { title: 'Ship' }));
  t.deepEqual(value, { ...task('Ship'), id: 'new' });
  t.deepEqual(next, { ...document, tasks: [...document.tasks, value] });
});

test('a new task can set every property; hasTime of a due rule is true by default', (t) => {
  const said = {
    title: 'Ship',
    description: 'by lorry',
    phaseId: 'phase-first',
    required: false,
    repeatable: true,
    assigneeGroupId: 'drivers',
    due: { from: 'LAUNCH', offset: 'P1D' },
  } as const;
  t.deepEqual(edited(addTask(document, 'new', said)).value, {
    ...said,
    id: 'new',
    assigneeId: null,
    due: { from: 'LAUNCH', offset: 'P1D', hasTime: true },
    approval: null,
    dependencies: [],
    rules: [],
    fields: [],
  });
  const due = { from: 'UNBLOCKED', offset: 'PT1H', hasTime: false } as const;
  t.deepEqual(edited(addTask(document, 'new', { title: 'Ship', due })).value.due, due);
});

test('an approval names nobody and asks for one approver by default, and a copy of its task keeps it', (t) => {
  const approval = { approverIds: [], approverGroupIds: [], policy: 'ANY', allowSelfApproval: false } as const;
  const { document: approved, value } = edited(updateTask(document, 'task-a', { approval: {} }));
  t.deepEqual(value.approval, approval);
  t.deepEqual(edited(updateTask(approved, 'task-a', { title: 'z' })).value.approval, approval);
  t.deepEqual(edited(duplicateTasks(approved, ['task-a'], counter())).value[0]?.approval, approval);
  t.deepEqual(duplicateDocument(approved, counter()).tasks[0]?.approval, approval);
  const changed = { approverGroupIds: ['drivers'], policy: 'ALL' } as const;
  t.deepEqual(edited(updateTask(approved, 'task-a', { approval: changed })).value.approval, {
    ...approval,
    ...changed,
  });
  t.is(edited(updateTask(approved, 'task-a', { approval: null })).value.approval, null);
});

test('a repeatable task with an approval is rejected, at save and at publish', (t) => {
  const approved = edited(updateTask(document, 'task-a', { approval: {} })).document;
  const message = (path: string, remedy: string) =>
    `${path}: the task "a" cannot be repeatable and have an approval; send ${remedy} as well`;
  t.deepEqual(rejectionOf(updateTask(approved, 'task-a', { repeatable: true })), {
    reason: 'invalid',
    message: message('repeatable', 'null as approval'),
  });
  const both = { repeatable: true, approval: {} };
  t.deepEqual(rejectionOf(updateTasks(document, ['task-a'], both)), {
    reason: 'invalid',
    message: message('changes.approval', 'false as repeatable'),
  });
  t.deepEqual(
    replaceDocument(document, { phases: [], variables: [], tasks: [{ title: 'a', ...both }] }, counter(), formats),
    {
      problems: [`tasks[0].${message('approval', 'false as repeatable')}`],
    },
  );
  const [task] = approved.tasks;
  t.deepEqual(task && validate({ ...approved, tasks: [{ ...task, repeatable: true }] }, formats), [
    'The task "a" is repeatable and has an approval; remove the approval or do not repeat it.',
  ]);
});

test('an update leaves omitted properties unchanged', (t) => {
  const changes = { description: 'text', title: undefined, assigneeId: undefined };
  const { document: next, value } = edited(updateTask(document, 'task-a', changes));
  t.deepEqual(value, task('a', { assigneeId: 'ada', description: 'text' }));
  t.deepEqual(next.tasks, [value, ...document.tasks.slice(1)]);
  t.is(edited(updateTask(document, 'task-a', { assigneeId: null })).value.assigneeId, null);

  const due = { from: 'LAUNCH', offset: 'P1D' } as const;
  const timed = edited(updateTask(document, 'task-c', { due })).document;
  t.deepEqual(edited(updateTask(timed, 'task-c', { required: false })).value.due, { ...due, hasTime: true });
  t.is(edited(updateTask(timed, 'task-c', { due: null })).value.due, null);
});

test('a task moves to the given position, or to the end if the position is past it', (t) => {
  t.deepEqual(titles(updateTask(document, 'task-c', { position: 0 })), ['c', 'a', 'b']);
  t.deepEqual(titles(updateTask(document, 'task-a', { position: 1, title: 'z' })), ['b', 'z', 'c']);
  t.deepEqual(titles(updateTask(document, 'task-a', { position: 3 })), ['b', 'c', 'a']);
});

const noPhase = (path: string) => ({
  reason: 'invalid' as const,
  message: `${path}: the template has no phase with the id phase-x; create it first or send null`,
});

test('an unknown phase is rejected', (t) => {
  const changes = { phaseId: 'phase-x' };
  t.deepEqual(rejectionOf(addTask(document, 'new', { title: 'Ship', ...changes })), noPhase('phaseId'));
  t.deepEqual(rejectionOf(updateTask(document, 'task-a', changes)), noPhase('phaseId'));
  t.deepEqual(rejectionOf(updateTasks(document, ['task-a'], changes)), noPhase('changes.phaseId'));
  t.is(edited(updateTask(document, 'task-a', { phaseId: 'phase-first' })).value.phaseId, 'phase-first');
});

test('assigning a task to both a user and a group is rejected', (t) => {
  const both = (changes: TaskChanges, title = 'a') =>
    rejectionOf(updateTask(document, `task-${title}`, changes)).message;
  t.is(
    both({ assigneeGroupId: 'drivers' }),
    'assigneeGroupId: the task "a" cannot have both a user and a group; send null as assigneeId as well',
  );
  t.regex(both({ assigneeId: 'ada', assigneeGroupId: 'drivers' }, 'b'), /^assigneeId: .* null as assigneeGroupId/);
  t.regex(
    rejectionOf(addTask(document, 'new', { title: 'x', assigneeId: 'a', assigneeGroupId: 'b' })).message,
    /^assignee/,
  );
  const handed = edited(updateTask(document, 'task-a', { assigneeId: null, assigneeGroupId: 'drivers' })).value;
  t.like(handed, { assigneeId: null, assigneeGroupId: 'drivers' });
});

test('several tasks get the same changes and are returned in the order of taskIds', (t) => {
  const { document: next, value } = edited(
    updateTasks(document, ['task-c', 'task-b'], { required: false, due: { from: 'LAUNCH', offset: 'P1D' } }),
  );
  t.deepEqual(
    value.map(({ id }) => id),
    ['task-c', 'task-b'],
  );
  for (const one of value) t.true(next.tasks.includes(one));
  t.deepEqual(
    next.tasks.map(({ title, required, due }) => [title, required, due?.hasTime]),
    [
      ['a', true, undefined],
      ['b', false, true],
      ['c', false, true],
    ],
  );
});

test('an edit of several tasks is rejected as a whole if one of them is unknown', (t) => {
  const unknown = {
    reason: 'invalid' as const,
    message: 'taskIds: the template has no task task-x, task-y; list only tasks of its draft',
  };
  const taskIds = ['task-x', 'task-b', 'task-y'];
  t.deepEqual(rejectionOf(removeTasks(document, taskIds)), unknown);
  t.deepEqual(rejectionOf(updateTasks(document, taskIds, { required: false })), unknown);
  t.deepEqual(rejectionOf(duplicateTasks(document, taskIds, counter())), unknown);
  t.is(
    rejectionOf(updateTasks(document, ['task-b', 'task-a'], { assigneeGroupId: 'drivers' })).message,
    'changes.assigneeGroupId: the task "a" cannot have both a user and a group; send null as assigneeId as well',
  );
  t.deepEqual(titles(removeTasks(document, ['task-c', 'task-a'])), ['b']);
});

test('removing a task removes its fields', (t) => {
  t.deepEqual(titles(removeTask(document, 'task-b')), ['a', 'c']);
});

test('an edit of an unknown task is rejected as not found', (t) => {
  const missing = { reason: 'not_found', message: 'Task' } as const;
  t.deepEqual(rejectionOf(updateTask(document, 'task-x', {})), missing);
  t.deepEqual(rejectionOf(removeTask(document, 'task-x')), missing);
});

test('a copy is placed directly after its original and has new ids and keys', (t) => {
  const { document: next, value } = edited(duplicateTasks(document, ['task-b', 'task-a'], counter()));
  t.deepEqual(
    next.tasks.map(({ title }) => title),
    ['a', 'a (copy)', 'b', 'b (copy)', 'c'],
  );
  t.deepEqual(
    value.map(({ title, assigneeId }) => [title, assigneeId]),
    [
      ['b (copy)', null],
      ['a (copy)', 'ada'],
    ],
  );
  for (const one of value) t.true(next.tasks.includes(one));
  t.deepEqual(
    value[0]?.fields.map(({ key, label }) => [key, label]),
    [
      ['name_2', 'name'],
      ['size_2', 'size'],
    ],
  );
  const ids = next.tasks.flatMap((one) => [one.id, ...one.fields.map(({ id }) => id)]);
  t.is(new Set(ids).size, 9);

  const again = edited(duplicateTasks(next, ['task-b'], () => 'again')).value[0];
  t.deepEqual(
    again?.fields.map(({ key }) => key),
    ['name_3', 'size_3'],
  );
});

test('copies of fields whose long keys differ only in the last letter have different keys', (t) => {
  const long = 'a'.repeat(63);
  const { value } = edited(
    duplicateTasks(processOf([task('a', { fields: [field(`${long}b`), field(`${long}c`)] })]), ['task-a'], counter()),
  );
  t.deepEqual(
    value[0]?.fields.map(({ key }) => key),
    [`${'a'.repeat(62)}_2`, `${'a'.repeat(62)}_3`],
  );
});

const copied = (title: string) =>
  edited(duplicateTasks(processOf([task(title, { id: 'long' })]), ['long'], counter())).value[0]?.title;

test('the title of a copy has at most 255 characters', (t) => {
  t.is(copied('a'.repeat(255)), `${'a'.repeat(248)} (copy)`);
  t.is(copied(`x${'😀'.repeat(127)}`), `x${'😀'.repeat(123)} (copy)`);
});
