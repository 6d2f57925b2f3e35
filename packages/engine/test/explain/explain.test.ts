import { displayValue, explain, type RuleCondition } from '@runward/engine';
import test from 'ava';
import { plain } from '../support/display.ts';
import { field, options, processOf, task, variable } from '../support/documents.ts';
import { begin, complete, open, setStatus, submit } from '../support/run.ts';

const is = (key: string, value: string): RuleCondition => ({
  source: { type: 'FIELD', fieldId: `field-${key}` },
  operator: 'EQUALS',
  value,
});
const parts = { taskIds: ['task-customs'], fieldIds: ['field-port'] };
const byAir = {
  id: 'rule-air',
  name: 'Air freight',
  match: 'ALL' as const,
  conditions: [
    is('mode', 'air'),
    { source: { type: 'VARIABLE' as const, key: 'rush' }, operator: 'IS_EMPTY' as const },
  ],
  actions: [
    { type: 'SHOW' as const, ...parts },
    { type: 'ASSIGN' as const, taskId: 'task-ship', assigneeId: 'ada', assigneeGroupId: null },
  ],
};

const shipment = processOf(
  [
    task('ask', {
      fields: [
        field('mode', { label: 'Mode', type: 'DROPDOWN', required: true, options: options('air', 'sea') }),
        field('port', { label: 'Port' }),
      ],
      rules: [byAir],
    }),
    task('customs'),
    task('ship', { dependencies: ['task-ask'], assigneeId: 'grace' }),
  ],
  { variables: [variable('rush')] },
);

const messagesOf = (reasons: readonly { code: string; message: string }[]) =>
  reasons.map(({ code, message }) => `${code}: ${message}`);

test('a run and its tasks are explained before and after a value changes what rules do', (t) => {
  const run = begin(shipment);
  const explained = () => explain(run.state, plain);
  const reasonsOf = (index: number) => messagesOf(explained().tasks[index]?.reasons ?? []);
  t.false(explained().run.completable);
  t.deepEqual(messagesOf(explained().run.reasons), ['REQUIRED_TASKS_OPEN: Required and not completed: "ask", "ship".']);
  t.deepEqual(reasonsOf(0), [
    'NOT_SHOWN_BY_RULE: The field "Port" is hidden unless shown by the rule "Air freight" of the task "ask": "Mode" EQUALS "AIR" does not hold (it is empty).',
    'NOT_OPENED: It is not completed, and its form is not open.',
  ]);
  t.deepEqual(reasonsOf(1), [
    'NOT_SHOWN_BY_RULE: It is hidden unless shown by the rule "Air freight" of the task "ask": "Mode" EQUALS "AIR" does not hold (it is empty).',
    'NOT_OPENED: It is not completed, and its form is not open.',
  ]);
  t.deepEqual(reasonsOf(2), [
    'BLOCKED: It waits for "ask".',
    'NOT_OPENED: It is not completed, and its form is not open.',
    'ASSIGNED_BY_TEMPLATE: It is assigned to grace by the template.',
  ]);
  t.like(explained().tasks[1]?.reasons[0], { ruleId: 'rule-air' });
  t.like(explained().tasks[2]?.reasons[0], { runTaskIds: ['ask'] });

  run.does(open('ask', 'e'));
  t.like(explained().tasks[0]?.reasons.at(-1), { code: 'VALUES_MISSING', fieldIds: ['field-mode'] });
  run.does(submit('e', { mode: 'air' }));
  const because =
    'the rule "Air freight" of the task "ask": "Mode" EQUALS "AIR" holds (it is "AIR"); "rush" IS_EMPTY holds (it is empty).';
  t.deepEqual(reasonsOf(0), ['FORM_FILLED_IN: Its form is open and has every required value.']);
  t.is(reasonsOf(1)[0], `SHOWN_BY_RULE: It is shown by ${because}`);
  t.is(reasonsOf(2).at(-1), `ASSIGNED_BY_RULE: It is assigned to ada by ${because}`);
});

test('long values, many conditions and many rules are shown in part, with the number of those left out', (t) => {
  const conditions = Array.from({ length: 12 }, () => is('text', 'b'.repeat(500)));
  const showing = Array.from({ length: 13 }, (_, index) => ({
    ...byAir,
    id: `rule-${index}`,
    conditions,
    actions: [{ type: 'SHOW' as const, taskIds: ['task-more'], fieldIds: [] }],
  }));
  const run = begin(
    processOf([task('ask', { fields: [field('text', { type: 'LONG_TEXT' })], rules: showing }), task('more')]),
  );
  run.does(open('ask', 'e'));
  run.does(submit('e', { text: 'a'.repeat(10_000) }));
  const reasons = explain(run.state, plain).tasks[1]?.reasons ?? [];
  const shown = reasons.filter(({ code }) => code === 'NOT_SHOWN_BY_RULE').map(({ message }) => message);
  const condition = `"text" EQUALS "${'b'.repeat(100)}…" does not hold (it is "${'a'.repeat(100)}…")`;
  const because = `It is hidden unless shown by the rule "Air freight" of the task "ask": ${Array.from({ length: 10 }, () => condition).join('; ')}; and 2 more.`;
  t.deepEqual(shown, [...Array.from({ length: 9 }, () => because), `${because} 3 more rules could show it.`]);
});

test('rules that act on every task have their conditions in the explanation only up to a total length', (t) => {
  const others = Array.from({ length: 300 }, (_, index) => task(`other ${index}`));
  const rules = Array.from({ length: 50 }, (_, index) => ({
    ...byAir,
    id: `rule-${index}`,
    conditions: Array.from({ length: 10 }, () => is('text', 'b'.repeat(100))),
    actions: [{ type: 'SHOW' as const, taskIds: others.map(({ id }) => id), fieldIds: [] }],
  }));
  const run = begin(processOf([task('ask', { fields: [field('text')], rules }), ...others]));
  const { tasks } = explain(run.state, plain);
  const [first, last] = [tasks[1], tasks.at(-1)].map((one) => messagesOf(one?.reasons ?? []));
  t.is(first?.filter((message) => message.includes('"text" EQUALS')).length, 10);
  t.is(
    last?.[0],
    'NOT_SHOWN_BY_RULE: It is hidden unless shown by the rule "Air freight" of the task "ask"; its conditions are left out. 49 more rules could show it.',
  );
  t.true(JSON.stringify(tasks).length < 1_500_000);
});

test('of many tasks and fields, ten are named, and all are identified', (t) => {
  const fields = Array.from({ length: 11 }, (_, index) => field(`${index}`, { required: true }));
  const many = Array.from({ length: 12 }, (_, index) => task(`${index}`, { fields }));
  const last = task('last', { required: false, dependencies: many.map(({ id }) => id) });
  const run = begin(processOf([...many, last]));
  run.does(open('0', 'e'));
  const explained = explain(run.state, plain);
  const ten = '"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"';
  t.is(explained.run.reasons[0]?.message, `Required and not completed: ${ten}, and 2 more.`);
  const blocked = explained.tasks.at(-1)?.reasons[0];
  t.is(blocked?.message, `It waits for ${ten}, and 2 more.`);
  t.is(blocked?.runTaskIds?.length, 12);
  t.is(explained.tasks[0]?.reasons[0]?.message, `Required fields of its open form have no value: ${ten}, and 1 more.`);
});

test('people, force, deadlines and the end of the run are named', (t) => {
  const run = begin(processOf([task('first', { required: false }), task('second', { dependencies: ['task-first'] })]));
  run.does({ type: 'forceUnblock', runTaskId: 'second' });
  run.does({ type: 'assign', runTaskId: 'second', assigneeGroupId: 'drivers' });
  run.does({ type: 'setDueDate', runTaskId: 'second', dueAt: '2026-03-02T09:30:00.000Z' });
  const second = () => messagesOf(explain(run.state, plain).tasks[1]?.reasons ?? []);
  t.deepEqual(second(), [
    'FORCE_UNBLOCKED: It was unblocked by hand and does not wait for other tasks.',
    'NOT_OPENED: It is not completed, and its form is not open.',
    'OVERDUE: Its deadline passed on 2026-03-02T09:30:00.000Z.',
    'ASSIGNED_BY_HAND: It is assigned to drivers by hand; rules leave it so.',
  ]);
  t.is(explain(run.state, plain).run.reasons[0]?.message, 'Past their deadline: "second".');
  run.does(setStatus('second', 'COMPLETED'));
  t.is(second()[0], 'COMPLETED: It was completed by grace on 2026-03-02T10:00:00.000Z.');
  t.deepEqual(explain(run.state, plain).run, {
    status: 'COMPLETED',
    completable: false,
    reasons: [{ code: 'RUN_COMPLETED', message: 'The run was completed on 2026-03-02T10:00:00.000Z.' }],
  });
});

test('values are displayed by label, name and date; empty ones as null', (t) => {
  const display = { nameOf: (id: string) => `Name of ${id}`, date: () => 'a day', dateTime: () => 'a time' };
  const shown = (type: Parameters<typeof displayValue>[0]['type'], value: Parameters<typeof displayValue>[1]) =>
    displayValue({ type, options: options('s', 'm') }, value, display);
  t.is(shown('DROPDOWN', 's'), 'S');
  t.is(shown('MULTI_SELECT', ['m', 's']), 'M, S');
  t.is(shown('USER', 'ada'), 'Name of ada');
  t.is(shown('FILE_UPLOAD', ['a', 'b']), 'Name of a, Name of b');
  t.is(shown('CHECKBOX', false), 'No');
  t.is(shown('CHECKBOX', true), 'Yes');
  t.is(shown('NUMBER', 0), '0');
  t.is(shown('DATE', '2026-03-01'), 'a day');
  t.is(shown('DATETIME', '2026-03-01T09:00:00Z'), 'a time');
  t.is(shown('TEXT', 'Ada'), 'Ada');
  for (const empty of [null, ' ', []]) t.is(shown('TEXT', empty), null);
});

test('an approval is explained by who has to decide, who approved, and who rejected and why', (t) => {
  const fileId = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a70';
  const approval = {
    approverIds: ['grace', 'linus'],
    approverGroupIds: ['cfo'],
    policy: 'ALL' as const,
    allowSelfApproval: false,
  };
  const run = begin(
    processOf([
      task('pay', {
        approval,
        fields: [field('amount', { required: true }), field('receipt', { type: 'FILE_UPLOAD' })],
      }),
    ]),
  );
  const reason = () => explain(run.state, plain).tasks[0]?.reasons.find(({ code }) => code.includes('APPROVAL'));
  const decides = (type: 'grantApproval' | 'rejectApproval', userId: string, groupIds: string[] = []) =>
    run.does({ type, runTaskId: 'pay', userId, groupIds, comment: 'Too much' });
  t.deepEqual(reason(), {
    code: 'APPROVAL_NOT_REQUESTED',
    message: 'Its form needs an approval, which is requested as soon as its open form has every required value.',
  });
  run.does(open('pay', 'e'));
  run.does({ type: 'attachFile', entryId: 'e', fieldId: 'field-receipt', fileId, fieldValueId: 'v', userId: 'ada' });
  run.does(submit('e', { amount: '100' }));
  t.deepEqual(reason(), {
    code: 'WAITING_FOR_APPROVAL',
    message: 'Its form waits for the approval of each of grace, linus, cfo. Who filled it in does not decide: ada.',
    approverIds: ['grace', 'linus'],
    approverGroupIds: ['cfo'],
  });
  decides('grantApproval', 'linus', ['cfo']);
  t.deepEqual(reason(), {
    code: 'WAITING_FOR_APPROVAL',
    message:
      'Its form waits for the approval of grace. Approved so far by linus. Who filled it in does not decide: ada.',
    approverIds: ['grace'],
  });
  decides('rejectApproval', 'grace');
  t.deepEqual(reason(), {
    code: 'APPROVAL_REJECTED',
    message:
      'Its form was rejected by grace on 2026-03-02T10:00:00.000Z: "Too much". The next value that is submitted requests the approval again.',
    userId: 'grace',
  });
  run.does(submit('e', { amount: '90' }));
  decides('grantApproval', 'linus', ['cfo']);
  decides('grantApproval', 'grace');
  t.deepEqual(reason(), {
    code: 'APPROVAL_GRANTED',
    message: 'Its form was approved by linus, grace on 2026-03-02T10:00:00.000Z.',
    approverIds: ['linus', 'grace'],
  });
  run.does(complete('e'));
  run.does({ type: 'removeInfected', entryId: 'e', fieldId: 'field-receipt', fileId });
  t.deepEqual(reason(), {
    code: 'APPROVAL_OUTDATED',
    message: 'Its form has changed since linus, grace approved it; reopened, it has to be approved again.',
    approverIds: ['linus', 'grace'],
  });
});
