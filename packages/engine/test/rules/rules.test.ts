import { mock } from 'node:test';
import type { RuleAction, RuleCondition, RuleDefinition, TaskDefinition } from '@runward/engine';
import test from 'ava';
import { field, processOf, task, variable } from '../support/documents.ts';
import { begin, complete, open, setStatus, submit } from '../support/run.ts';

const is = (key: string, value: string): RuleCondition => ({
  source: { type: 'FIELD', fieldId: `field-${key}` },
  operator: 'EQUALS',
  value,
});
const variableIs = (key: string, value: string): RuleCondition => ({
  source: { type: 'VARIABLE', key },
  operator: 'EQUALS',
  value,
});
const show = (...ids: string[]): RuleAction => ({ type: 'SHOW', ...parts(ids) });
const hide = (...ids: string[]): RuleAction => ({ type: 'HIDE', ...parts(ids) });
const assign = (title: string, assigneeId: string): RuleAction => ({
  type: 'ASSIGN',
  taskId: `task-${title}`,
  assigneeId,
  assigneeGroupId: null,
});
const set = (key: string, value: string): RuleAction => ({ type: 'SET_VARIABLE', key, value });

function parts(ids: readonly string[]) {
  return {
    taskIds: ids.filter((id) => id.startsWith('task-')),
    fieldIds: ids.filter((id) => id.startsWith('field-')),
  };
}

let count = 0;
function rule(conditions: readonly RuleCondition[], ...actions: RuleAction[]): RuleDefinition {
  count += 1;
  return { id: `rule-${count}`, name: null, match: 'ALL', conditions, actions };
}

/** A task "ask" with the fields a and b and these rules, and other tasks. */
function asking(rules: readonly RuleDefinition[], ...others: TaskDefinition[]) {
  const ask = task('ask', { fields: [field('a'), field('b')], rules });
  return processOf([ask, ...others], { variables: [variable('region', 'EU')] });
}

test('a task that a SHOW names is hidden until the rule matches, and again when it no longer does', (t) => {
  const run = begin(asking([rule([is('a', 'yes')], show('task-more'))], task('more')));
  t.true(run.task('more').hidden);
  run.does(open('ask', 'e'));
  t.deepEqual(run.does(submit('e', { a: 'YES' })), ['value.submitted', 'task.shown']);
  t.false(run.task('more').hidden);
  t.deepEqual(run.does(submit('e', { a: 'no' })), ['value.submitted', 'task.hidden']);
  t.true(run.task('more').hidden);
});

test('a value that no rule depends on leads to no other fact', (t) => {
  const run = begin(asking([rule([is('a', 'yes')], hide('task-more'))], task('more')));
  run.does(open('ask', 'e'));
  t.deepEqual(run.does(submit('e', { b: 'yes' })), ['value.submitted']);
});

test('the last matching rule on a task, in the order of tasks and rules, takes effect', (t) => {
  const later = task('later', { rules: [rule([is('b', 'keep')], show('task-more'))] });
  const run = begin(
    asking([rule([is('a', 'x')], hide('task-more')), rule([is('a', 'x')], show('task-more'))], task('more'), later),
  );
  run.does(open('ask', 'e'));
  run.does(submit('e', { a: 'x' }));
  t.false(run.task('more').hidden);
});

test('hidden fields are not required, cannot be submitted, and are empty for rules', (t) => {
  const form = task('ask', {
    fields: [field('a'), field('b', { required: true })],
    rules: [rule([is('a', 'x')], hide('field-b')), rule([is('b', 'y')], show('task-more'))],
  });
  const run = begin(processOf([form, task('more', { required: false })]));
  run.does(open('ask', 'e'));
  t.deepEqual(run.does(submit('e', { b: 'y' })), ['value.submitted', 'task.shown']);
  t.deepEqual(run.does(submit('e', { a: 'x' })), ['value.submitted', 'field.hidden', 'task.hidden']);
  t.deepEqual(run.task('ask').hiddenFieldIds, ['field-b']);
  t.is(run.rejects(submit('e', { b: 'z' })).code, 'validation_failed');
  t.deepEqual(run.does(complete('e')), ['entry.completed', 'task.completed', 'run.completed']);
});

test('a hidden task cannot be opened, submitted to or completed', (t) => {
  const run = begin(asking([rule([is('a', 'x')], hide('task-more'))], task('more', { fields: [field('c')] })));
  run.does(open('more', 'm'));
  run.does(open('ask', 'e'));
  run.does(submit('e', { a: 'x' }));
  for (const command of [open('more', 'n'), submit('m', { c: '1' }), complete('m'), setStatus('more', 'COMPLETED')]) {
    t.is(run.rejects(command).code, 'task_hidden');
  }
});

test('hiding the last open required task completes the run', (t) => {
  const run = begin(asking([rule([is('a', 'skip')], hide('task-more'))], task('more')));
  run.does(open('ask', 'e'));
  run.does(submit('e', { a: 'skip' }));
  t.deepEqual(run.does(complete('e')), ['entry.completed', 'task.completed', 'run.completed']);

  const other = begin(asking([rule([is('a', 'skip')], hide('task-ask', 'task-more'))], task('more')));
  other.does(open('ask', 'e'));
  t.deepEqual(other.does(submit('e', { a: 'skip' })), [
    'value.submitted',
    'task.hidden',
    'task.hidden',
    'run.completed',
  ]);
});

test('a rule assigns a task while it matches, unless a person has assigned it', (t) => {
  const run = begin(asking([rule([is('a', 'x')], assign('more', 'grace'))], task('more', { assigneeId: 'ada' })));
  run.does(open('ask', 'e'));
  t.deepEqual(run.does(submit('e', { a: 'x' })), ['value.submitted', 'task.assigned']);
  t.is(run.task('more').assigneeId, 'grace');
  run.does(submit('e', { a: 'y' }));
  t.is(run.task('more').assigneeId, 'ada');
  run.does({ type: 'assign', runTaskId: 'more', assigneeId: null });
  t.deepEqual(run.does(submit('e', { a: 'x' })), ['value.submitted']);
  t.is(run.task('more').assigneeId, null);
});

test('a rule sets a variable that other rules read, and resets it to its value at launch', (t) => {
  const rules = [rule([is('a', 'x')], set('region', 'US')), rule([variableIs('region', 'us')], show('task-more'))];
  const run = begin(asking(rules, task('more')), { launch: { variables: { region: 'UK' } } });
  t.true(run.task('more').hidden);
  run.does(open('ask', 'e'));
  t.deepEqual(run.does(submit('e', { a: 'x' })), ['value.submitted', 'variable.set', 'task.shown']);
  t.deepEqual(run.state.ruleVariables, { region: 'US' });
  t.deepEqual(run.does(submit('e', { a: 'y' })), ['value.submitted', 'variable.reset', 'task.hidden']);
  t.deepEqual(run.state.ruleVariables, {});
});

test('rules that read variables take effect at launch', (t) => {
  const document = asking(
    [rule([variableIs('region', 'eu')], show('task-more'), assign('more', 'grace'), hide('field-b'))],
    task('more'),
  );
  const run = begin(document);
  t.false(run.task('more').hidden);
  t.is(run.task('more').assigneeId, 'grace');
  t.deepEqual(run.task('ask').hiddenFieldIds, ['field-b']);
  t.true(begin(document, { launch: { variables: { region: 'US' } } }).task('more').hidden);
});

test('rules read the value of the newest entry in which the field was submitted', (t) => {
  const form = task('ask', {
    repeatable: true,
    fields: [field('a')],
    rules: [rule([is('a', 'x')], show('task-more'))],
  });
  const run = begin(processOf([form, task('more')]));
  run.does(open('ask', 'one'));
  run.does(submit('one', { a: 'x' }));
  t.deepEqual(run.does(open('ask', 'two')), ['entry.opened']);
  t.deepEqual(run.does(submit('two', { a: 'y' })), ['value.submitted', 'task.hidden']);
  t.deepEqual(run.does(submit('one', { a: 'x' })), ['value.submitted']);
});

test.serial('a long text is folded once per evaluation, however many conditions compare it', (t) => {
  const conditions = Array.from({ length: 20 }, (_, index) => is('a', `no ${index}`));
  const rules = Array.from({ length: 20 }, () => ({ ...rule(conditions, show('task-more')), match: 'ANY' as const }));
  const run = begin(asking(rules, task('more')));
  run.does(open('ask', 'e'));
  const long = 'ä'.repeat(1000);
  const normalize = mock.method(String.prototype, 'normalize');
  run.does(submit('e', { a: long }));
  normalize.mock.restore();
  t.is(normalize.mock.calls.filter((call) => String(call.this) === long).length, 1);
});
