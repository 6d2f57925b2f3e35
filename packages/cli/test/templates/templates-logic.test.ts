import test from 'ava';
import type { PlannedChange } from '../../src/template-file/plan.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

const shipping = {
  name: 'Shipping',
  variables: [
    { key: 'speed', name: 'Speed' },
    { key: 'weight', type: 'NUMBER' },
    { key: 'copies', defaultValue: 2 },
  ],
  tasks: [
    {
      title: 'Ask',
      fields: [
        { key: 'city', label: 'City', type: 'TEXT' },
        { key: 'kilos', label: 'Kilos', type: 'NUMBER' },
      ],
    },
    {
      title: 'Pack',
      approval: { policy: 'ALL', allowSelfApproval: true },
      dependsOn: ['Ask'],
      rules: [
        {
          name: 'Heavy parcels',
          match: 'ANY',
          conditions: [
            { field: 'kilos', operator: 'GREATER_THAN', value: 20 },
            { variable: 'weight', operator: 'IN', value: [21, 22] },
          ],
          actions: [
            { type: 'SHOW', tasks: ['Book a lorry'], fields: ['gate'] },
            { type: 'SET_VARIABLE', variable: 'speed', value: null },
          ],
        },
        { conditions: [{ field: 'city', operator: 'IS_EMPTY' }], actions: [{ type: 'HIDE', tasks: ['Send'] }] },
      ],
    },
    { title: 'Book a lorry', approval: {}, fields: [{ key: 'gate', label: 'Gate', type: 'TEXT' }] },
    { title: 'Send', dependsOn: ['Pack', 'Book a lorry'] },
  ],
};

interface Rule {
  readonly id: string;
  readonly name: string | null;
}

interface Draft {
  readonly id: string;
  readonly tasks: { id: string; assigneeId: string | null; dependencies: string[]; rules: Rule[] }[];
}

interface Applied {
  readonly changes: PlannedChange[];
}

async function newShop() {
  const { org, data, runward } = await newWorkplace();
  const apply = (file: object, ...args: string[]) =>
    runward(['templates', 'apply', '-', '--yes', ...args], { input: JSON.stringify(file) });
  return {
    org,
    apply,
    pull: () => data<typeof shipping>(['templates', 'pull', 'Shipping']),
    draft: () => data<Draft>(['templates', 'get', 'Shipping']),
    applied: async (file: object, ...args: string[]) => {
      const input = JSON.stringify(file);
      const { changes } = await data<Applied>(['templates', 'apply', '-', '--yes', ...args], { input });
      return changes.map(({ kind, entity, label, after = {} }) =>
        // If two rules swap places, either of them may be reported as moved.
        [kind, entity, label, ...(kind === 'CHANGED' ? Object.keys(after) : [])]
          .join(' ')
          .replace(/^(MOVED RULE) .*/, '$1'),
      );
    },
  };
}

const [ask, pack, lorry, send] = shipping.tasks;
const [heavy, unnamed] = pack?.rules ?? [];

/** The template as it is pulled: with the keys that its names lead to. */
const pulled = {
  ...shipping,
  tasks: [
    { key: 'ask', ...ask },
    {
      key: 'pack',
      ...pack,
      dependsOn: ['ask'],
      rules: [
        {
          key: 'heavy-parcels',
          ...heavy,
          actions: [{ type: 'SHOW', tasks: ['book-a-lorry'], fields: ['gate'] }, heavy?.actions[1]],
        },
        { key: 'pack-rule', ...unnamed, actions: [{ type: 'HIDE', tasks: ['send'] }] },
      ],
    },
    { key: 'book-a-lorry', ...lorry },
    { key: 'send', ...send, dependsOn: ['pack', 'book-a-lorry'] },
  ],
};

test('templates apply sends rules, dependencies and the names and types of variables; pulling and applying them changes nothing', async (t) => {
  const { applied, pull, draft } = await newShop();
  t.deepEqual(await applied(shipping, '--publish'), [
    'ADDED TEMPLATE Shipping',
    'ADDED TASK Ask',
    'ADDED FIELD Ask > City',
    'ADDED FIELD Ask > Kilos',
    'ADDED TASK Pack',
    'ADDED RULE Pack > Heavy parcels',
    'ADDED RULE Pack > rule 2',
    'ADDED TASK Book a lorry',
    'ADDED FIELD Book a lorry > Gate',
    'ADDED TASK Send',
    'ADDED VARIABLE speed',
    'ADDED VARIABLE weight',
    'ADDED VARIABLE copies',
  ]);
  t.deepEqual(await pull(), pulled as typeof shipping);
  const before = await draft();
  t.deepEqual(await applied(await pull()), []);
  t.deepEqual(await draft(), before);

  const [first, second, third, fourth] = before.tasks;
  t.deepEqual(second?.dependencies, [first?.id] as string[]);
  t.deepEqual(fourth?.dependencies, [second?.id, third?.id] as string[]);
});

test('templates apply names tasks by their keys in dependencies and rules', async (t) => {
  const { applied, pull } = await newShop();
  const tasks = [
    { ...ask, key: 'ask' },
    {
      ...pack,
      key: 'pack',
      dependsOn: ['ask'],
      rules: [{ ...heavy, actions: [{ type: 'SHOW', tasks: ['lorry'] }] }],
    },
    { ...lorry, key: 'lorry' },
    { ...send, dependsOn: ['pack', 'Book a lorry'] },
  ];
  await applied({ ...shipping, tasks });
  const [, packed, , sent] = (await pull()).tasks;
  t.deepEqual(packed?.dependsOn, ['ask']);
  t.deepEqual(packed?.rules?.[0]?.actions as object[], [{ type: 'SHOW', tasks: ['lorry'] }]);
  t.deepEqual(sent?.dependsOn, ['pack', 'lorry']);
});

test('templates apply updates, moves and deletes rules and dependencies, and keeps their ids', async (t) => {
  const { org, applied, pull, draft } = await newShop();
  await applied(shipping);
  const before = await draft();
  const [rule, second] = before.tasks[1]?.rules ?? [];

  const assign = { type: 'ASSIGN', task: 'Send', assignee: org.ownerEmail };
  const changed = [unnamed, { ...heavy, match: 'ALL', actions: [assign] }];
  t.deepEqual(await applied({ ...shipping, tasks: [ask, { ...pack, rules: changed }, lorry, { title: 'Send' }] }), [
    'MOVED RULE',
    'CHANGED RULE Pack > Heavy parcels match actions',
    'REMOVED DEPENDENCY Send waits for Pack',
    'REMOVED DEPENDENCY Send waits for Book a lorry',
  ]);
  const after = await draft();
  t.deepEqual(
    after.tasks[1]?.rules.map(({ id }) => id),
    [second?.id, rule?.id] as string[],
  );
  t.deepEqual((await pull()).tasks[1]?.rules?.[1]?.actions as object[], [{ ...assign, task: 'send' }]);

  const without = { ...shipping, tasks: [ask, { ...pack, rules: [unnamed] }, lorry, { title: 'Send' }] };
  t.deepEqual(await applied(without), ['REMOVED RULE Pack > Heavy parcels']);
});

test('templates apply rejects invalid rules and dependencies with their paths before it sends anything', async (t) => {
  const { org, apply } = await newShop();
  const errorsOf = async (tasks: object[]) => {
    const { code, stderr } = await apply({ ...shipping, tasks });
    t.is(code, 6);
    return stderr;
  };
  const withRule = (rule: object) => [
    ask ?? {},
    { title: 'Pack', rules: [{ ...unnamed, actions: [{ type: 'HIDE', tasks: ['Pack'] }], ...rule }] },
  ];
  const city = { field: 'city', operator: 'EQUALS', value: 'Rome' };

  const schema = await errorsOf(
    withRule({ match: 'SOME', conditions: [], actions: [{ type: 'OPEN' }], colour: 'red' }),
  );
  t.regex(schema, /tasks\[1\]\.rules\[0\]\.match: must be one of ALL, ANY/);
  t.regex(schema, /tasks\[1\]\.rules\[0\]\.conditions: must contain at least one condition/);
  t.regex(schema, /tasks\[1\]\.rules\[0\]\.actions\[0\]\.type: must be one of SHOW, HIDE, ASSIGN, SET_VARIABLE/);
  t.regex(schema, /tasks\[1\]\.rules\[0\]\.colour: unknown parameter; remove it/);

  const names = await errorsOf([
    { title: 'Ask', dependsOn: ['Ask', 'Call', 'Pack', 'Pack'] },
    {
      title: 'Pack',
      rules: [
        {
          conditions: [city, { variable: 'size', operator: 'IS_EMPTY' }, { operator: 'IS_EMPTY' }],
          actions: [
            { type: 'SHOW' },
            { type: 'HIDE', tasks: ['Call'], fields: ['gate'] },
            { type: 'ASSIGN', task: 'Call', assignee: null },
            { type: 'SET_VARIABLE', variable: 'size', value: 1 },
          ],
        },
      ],
    },
  ]);
  for (const error of [
    'tasks[0].dependsOn[0]: a task cannot depend on itself; remove it',
    'tasks[0].dependsOn[1]: there is no task with the key or title "Call"; add it to tasks or correct the name',
    'tasks[0].dependsOn[3]: repeats tasks[0].dependsOn[2]; remove one',
    'tasks[1].rules[0].conditions[0].field: there is no field with the key "city"',
    'tasks[1].rules[0].conditions[1].variable: there is no variable with the key "size"',
    'tasks[1].rules[0].conditions[2]: must have either a field or a variable',
    'tasks[1].rules[0].actions[0]: names no task or field; add tasks or fields',
    'tasks[1].rules[0].actions[1].tasks[0]: there is no task with the key or title "Call"',
    'tasks[1].rules[0].actions[1].fields[0]: there is no field with the key "gate"',
    'tasks[1].rules[0].actions[2].task: there is no task with the key or title "Call"',
    'tasks[1].rules[0].actions[3].variable: there is no variable with the key "size"',
  ]) {
    t.true(names.includes(error), `${error} in ${names}`);
  }

  const rules = await errorsOf(
    withRule({
      conditions: [
        { ...city, operator: 'BEFORE' },
        { ...city, value: 1 },
      ],
    }),
  );
  t.regex(rules, /tasks\[1\]\.rules\[0\]\.conditions\[0\]\.operator: BEFORE does not fit the type TEXT/);
  const cycle = await errorsOf([
    { title: 'Ask', dependsOn: ['Pack'] },
    { title: 'Pack', dependsOn: ['Ask'] },
  ]);
  t.regex(cycle, /tasks: the tasks wait for each other: "Ask" -> "Pack" -> "Ask"/);
  t.is((await org.api.call('templates', 'list', {})).body.total, 0);
});
