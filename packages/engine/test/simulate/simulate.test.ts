import type {
  FieldDefinition,
  RuleAction,
  RuleCondition,
  RuleDefinition,
  Simulation,
  TaskDefinition,
} from '@runward/engine';
import test from 'ava';
import { field, options, processOf, task, variable } from '../support/documents.ts';
import { simulated } from '../support/simulation-model.ts';

type Condition = Pick<RuleCondition, 'operator' | 'value'>;

const on = (key: string, operator: RuleCondition['operator'], value?: RuleCondition['value']): RuleCondition => ({
  source: { type: 'FIELD', fieldId: `field-${key}` },
  operator,
  ...(value !== undefined && { value }),
});
const onVariable = (key: string, value: string | boolean): RuleCondition => ({
  source: { type: 'VARIABLE', key },
  operator: 'EQUALS',
  value,
});
const show = (...titles: string[]): RuleAction => ({ type: 'SHOW', ...tasksOf(titles) });
const hide = (...titles: string[]): RuleAction => ({ type: 'HIDE', ...tasksOf(titles) });
const showField = (key: string): RuleAction => ({ type: 'SHOW', taskIds: [], fieldIds: [`field-${key}`] });

function tasksOf(titles: readonly string[]) {
  return { taskIds: titles.map((title) => `task-${title}`), fieldIds: [] };
}

let count = 0;
function rule(conditions: readonly RuleCondition[], ...actions: RuleAction[]): RuleDefinition {
  count += 1;
  return { id: `rule-${count}`, name: null, match: 'ALL', conditions, actions };
}

function asking(fields: readonly FieldDefinition[], rules: readonly RuleDefinition[], ...others: TaskDefinition[]) {
  return processOf([task('ask', { fields, rules }), ...others], {
    variables: [variable('region', 'EU'), variable('rush', false)],
  });
}

function kinds({ findings }: Simulation): string[] {
  return findings.map(({ severity, kind, taskId, fieldId }) =>
    [severity, kind, fieldId ?? taskId].filter((part) => part !== null).join(' '),
  );
}

test('a document without rules has one path, on which its tasks are completed by their order and dependencies', (t) => {
  const tasks = [task('sign', { dependencies: ['task-review'] }), task('review'), task('extra', { required: false })];
  const { findings, pathCount, complete, paths } = simulated(processOf(tasks));
  t.deepEqual({ findings, pathCount, complete }, { findings: [], pathCount: 1, complete: true });
  t.deepEqual(paths[0]?.completedTaskIds, ['task-review', 'task-sign']);
  t.deepEqual(paths[0]?.openTaskIds, ['task-extra']);
  t.true(paths[0]?.completed);
});

test('a path lists the values that lead to it, and the parts that it hides, assigns and sets', (t) => {
  const rules = [
    rule(
      [on('country', 'EQUALS', 'Norway')],
      show('customs'),
      { type: 'ASSIGN', taskId: 'task-customs', assigneeId: 'grace', assigneeGroupId: null },
      { type: 'SET_VARIABLE', key: 'region', value: 'Europe' },
    ),
  ];
  const { paths } = simulated(asking([field('country', { required: true })], rules, task('customs')));
  const source = { type: 'FIELD', fieldId: 'field-country' };
  const common = { openTaskIds: [], hiddenFieldIds: [], completed: true };
  t.deepEqual(paths as unknown, [
    {
      ...common,
      choices: [{ source, value: 'Norway' }],
      completedTaskIds: ['task-ask', 'task-customs'],
      hiddenTaskIds: [],
      assigned: [{ taskId: 'task-customs', assigneeId: 'grace', assigneeGroupId: null }],
      variables: { region: 'Europe' },
    },
    {
      ...common,
      choices: [{ source, value: 'other' }],
      completedTaskIds: ['task-ask'],
      hiddenTaskIds: ['task-customs'],
      assigned: [],
      variables: {},
    },
  ]);
});

test('tasks that no values show are unreachable, also if they need each other, and so are rules that read them', (t) => {
  const rules = [rule([on('a', 'EQUALS', 'x'), on('a', 'EQUALS', 'y')], show('both'))];
  const both = task('both', {
    fields: [field('b', { required: true })],
    rules: [rule([on('b', 'EQUALS', 'x')], show('after'))],
  });
  const simulation = simulated(asking([field('a')], rules, both, task('after', { required: false })));
  t.deepEqual(kinds(simulation), [
    'ERROR TASK_NEVER_VISIBLE task-both',
    'ERROR TASK_NEVER_VISIBLE task-after',
    'WARNING RULE_NEVER_MATCHES task-ask',
    'WARNING RULE_NEVER_MATCHES task-both',
  ]);
  t.is(
    simulation.findings[0]?.message,
    'The task "both" is never visible; change the conditions of the rules that show or hide it, or remove the task.',
  );
});

test('fields that are never visible are an error if they are required, and a note otherwise', (t) => {
  const never = [on('a', 'EQUALS', 'x'), on('a', 'NOT_EQUALS', 'X')];
  const fields = [field('a'), field('b', { required: true }), field('c')];
  t.deepEqual(kinds(simulated(asking(fields, [rule(never, showField('b'), showField('c'))]))), [
    'ERROR FIELD_NEVER_VISIBLE field-b',
    'WARNING RULE_NEVER_MATCHES task-ask',
    'NOTE FIELD_NEVER_VISIBLE field-c',
  ]);
});

test('a task that is visible only until a required field is filled in is reachable, but on no path', (t) => {
  const rules = [rule([on('a', 'IS_EMPTY')], show('remind'))];
  const simulation = simulated(asking([field('a', { required: true })], rules, task('remind')));
  t.deepEqual(simulation.findings, []);
  t.deepEqual(
    simulation.paths.map(({ hiddenTaskIds }) => hiddenTaskIds),
    [['task-remind']],
  );
});

test('required fields of an optional task may stay empty, unless a required task waits for it', (t) => {
  const optional = (dependencies: readonly string[]) =>
    simulated(
      asking(
        [],
        [],
        task('maybe', {
          required: false,
          fields: [field('a', { required: true })],
          rules: [rule([on('a', 'IS_EMPTY')], hide('last'))],
        }),
        task('next', { dependencies }),
        task('last'),
      ),
    ).pathCount;
  t.is(optional([]), 2);
  t.is(optional(['task-maybe']), 1);
});

test('rules that always match are a warning', (t) => {
  const always = { ...rule([on('a', 'IS_EMPTY'), on('a', 'IS_NOT_EMPTY')], show('more')), match: 'ANY' as const };
  t.deepEqual(kinds(simulated(asking([field('a')], [always], task('more')))), ['WARNING RULE_ALWAYS_MATCHES task-ask']);
});

test('variables can have any value at launch, and a launch without a visible task is an error', (t) => {
  const rules = [rule([onVariable('rush', true)], hide('ask', 'more'))];
  const simulation = simulated(asking([field('a')], rules, task('more')));
  t.deepEqual(kinds(simulation), ['ERROR NO_TASK_AT_LAUNCH']);
  t.deepEqual(
    simulation.paths.map(({ completed }) => completed),
    [true, false],
  );
});

test('a required task that cannot be completed is an error, with the reason', (t) => {
  // Publishing rejects a choice without options, but the simulation does not rely on that.
  const stuck = field('size', { type: 'DROPDOWN', required: true });
  const rules = [rule([on('a', 'EQUALS', 'x')], show('more'))];
  const simulation = simulated(asking([field('a')], rules, task('more', { fields: [stuck] })));
  t.deepEqual(kinds(simulation), ['ERROR TASK_CANNOT_BE_COMPLETED task-more']);
  t.regex(simulation.findings[0]?.message ?? '', /^The task "more" cannot be completed, .* no value: "size"/);
});

test('a required file is attached, and a rule that reads a file has both paths', (t) => {
  const scan = field('scan', { type: 'FILE_UPLOAD' });
  const signature = field('signature', { type: 'SIGNATURE', required: true });
  const rules = [rule([on('scan', 'IS_NOT_EMPTY')], show('more'))];
  const { findings, paths } = simulated(asking([scan, signature], rules, task('more')));
  t.deepEqual(findings, []);
  t.deepEqual(
    paths.map(({ completedTaskIds }) => completedTaskIds.join()),
    ['task-ask', 'task-ask,task-more'],
  );
  t.true(paths.every(({ completed }) => completed));
});

test('a run that a value completes early is reopened for the values that follow', (t) => {
  const rules = [rule([on('a', 'EQUALS', 'x')], hide('more'))];
  const form = task('ask', { required: false, fields: [field('a'), field('b')], rules });
  const last = task('last', { rules: [rule([on('b', 'EQUALS', 'y')], show('last'))] });
  const { paths } = simulated(processOf([form, task('more'), last]));
  t.deepEqual(paths.map(({ hiddenTaskIds }) => hiddenTaskIds.join()).sort(), [
    '',
    'task-last',
    'task-more',
    'task-more,task-last',
  ]);
  t.true(paths.every(({ completed }) => completed));
});

test('for every type and operator there are values that fulfil a condition, and values that do not', (t) => {
  const id = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a70';
  const conditions: readonly [Partial<FieldDefinition>, Condition][] = [
    [{ type: 'TEXT' }, { operator: 'NOT_CONTAINS', value: 'other' }],
    [{ type: 'TEXT' }, { operator: 'CONTAINS', value: ' ' }],
    [{ type: 'LONG_TEXT' }, { operator: 'NOT_IN', value: ['a', 'b'] }],
    [{ type: 'EMAIL' }, { operator: 'CONTAINS', value: '@example.org' }],
    [{ type: 'EMAIL' }, { operator: 'CONTAINS', value: 'ada' }],
    [{ type: 'URL' }, { operator: 'CONTAINS', value: 'github.com' }],
    [{ type: 'PHONE' }, { operator: 'CONTAINS', value: '+1' }],
    [{ type: 'NUMBER' }, { operator: 'GREATER_THAN', value: 1e300 }],
    [{ type: 'NUMBER' }, { operator: 'LESS_OR_EQUAL', value: -0.5 }],
    [{ type: 'CHECKBOX' }, { operator: 'EQUALS', value: false }],
    [{ type: 'DATE' }, { operator: 'BEFORE', value: '2026-03-01' }],
    [{ type: 'DATETIME' }, { operator: 'AFTER', value: '2026-03-01T09:00:00+02:00' }],
    [
      { type: 'DROPDOWN', options: options('s', 'm') },
      { operator: 'NOT_EQUALS', value: 's' },
    ],
    [
      { type: 'MULTI_SELECT', options: options('s', 'm') },
      { operator: 'CONTAINS', value: 's' },
    ],
    [{ type: 'USER' }, { operator: 'IN', value: [id] }],
    [{ type: 'FILE_UPLOAD' }, { operator: 'IS_NOT_EMPTY' }],
  ];
  for (const [type, { operator, value }] of conditions) {
    const rules = [rule([on('a', operator, value)], show('more'))];
    const { findings, pathCount, complete } = simulated(asking([field('a', type)], rules, task('more')));
    t.deepEqual(
      { findings, pathCount, complete },
      { findings: [], pathCount: 2, complete: true },
      `${type.type} ${operator}`,
    );
  }
  const before = rule([on('a', 'BEFORE', '1900-01-01')], show('more'));
  t.is(
    simulated(asking([field('a', { type: 'DATE' })], [before], task('more'))).findings[0]?.kind,
    'TASK_NEVER_VISIBLE',
  );
});

test('independent rules are tried one by one, and paths beyond the limit are a sample', (t) => {
  const rules = Array.from({ length: 50 }, (_, index) => rule([on(`a${index}`, 'EQUALS', 'x')], show(`t${index}`)));
  const fields = rules.map((_, index) => field(`a${index}`));
  const simulation = simulated(asking(fields, rules, ...rules.map((_, index) => task(`t${index}`))), { paths: 20 });
  t.deepEqual(simulation.findings, []);
  t.is(simulation.pathCount, 2 ** 50);
  t.true(simulation.complete);
  t.true(simulation.tried < 500, String(simulation.tried));
  t.is(new Set(simulation.paths.map(({ hiddenTaskIds }) => hiddenTaskIds.join())).size, 20);
});

test('if there are more cases than the limit, a sample is tried, and what was not found in it is a warning', (t) => {
  const keys = Array.from({ length: 20 }, (_, index) => `a${index}`);
  const odd = keys.map((key, index) => on(key, index % 2 === 0 ? 'EQUALS' : 'NOT_EQUALS', 'x'));
  const rules = [
    { ...rule([...odd, on('a0', 'EQUALS', 'y')], show('never')), match: 'ALL' as const },
    ...keys.map((key) => rule([on(key, 'EQUALS', 'x')], hide('more'))),
    { ...rule(odd, hide('more')), match: 'ANY' as const },
    rule([on('a0', 'EQUALS', 'x')], showField('note')),
  ];
  const document = asking(
    keys.map((key) => field(key)),
    rules,
    task('more'),
    task('never', { fields: [field('note')] }),
  );
  const few = simulated(document, { cases: 5 });
  t.false(few.complete);
  t.true(few.findings.every(({ severity }) => severity === 'WARNING'));
  t.true(few.findings.some(({ message }) => message.includes('in the sample of cases that was tried')));
  t.deepEqual(simulated(document, { cases: 5 }), few);
});

test('a required variable always has a value, so that a rule for its absence never matches', (t) => {
  const isEmpty: RuleCondition = { source: { type: 'VARIABLE', key: 'region' }, operator: 'IS_EMPTY' };
  const tasks = [task('ask', { rules: [rule([isEmpty], hide('other'))] }), task('other')];
  const pathsOf = (required: boolean) =>
    simulated(processOf(tasks, { variables: [{ ...variable('region'), required }] })).pathCount;
  t.is(pathsOf(false), 2);
  t.is(pathsOf(true), 1);
});
