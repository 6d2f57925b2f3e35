import test from 'ava';
import { useServer } from './support/service.ts';

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
    { title: 'Book a lorry', fields: [{ key: 'gate', label: 'Gate', type: 'TEXT' }] },
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

interface Pushed {
  readonly changes: { action: string; kind: string; name: string; details: string[] }[];
}

async function newShop() {
  const { org, data, runward } = await newWorkplace();
  const push = (file: object, ...args: string[]) =>
    runward(['templates', 'push', '-', ...args], { input: JSON.stringify(file) });
  return {
    org,
    push,
    pull: () => data<typeof shipping>(['templates', 'get', 'Shipping', '--as-file']),
    draft: () => data<Draft>(['templates', 'get', 'Shipping']),
    pushed: async (file: object, ...args: string[]) => {
      const { changes } = await data<Pushed>(['templates', 'push', '-', ...args], { input: JSON.stringify(file) });
      return changes.map(({ action, kind, name, details }) => [action, kind, name, ...details].join(' '));
    },
  };
}

const [ask, pack, lorry, send] = shipping.tasks;
const [heavy, unnamed] = pack?.rules ?? [];

test('templates push sends rules, dependencies and the names and types of variables; pulling and pushing them changes nothing', async (t) => {
  const { pushed, pull, draft } = await newShop();
  t.deepEqual(await pushed(shipping, '--publish'), [
    'create template Shipping',
    'create variable speed',
    'create variable weight',
    'create variable copies',
    'create task Ask',
    'create task Pack',
    'create task Book a lorry',
    'create task Send',
    'create field city',
    'create field kilos',
    'create field gate',
    'create rule Pack: Heavy parcels',
    'create rule Pack: rule 2',
  ]);
  t.deepEqual(await pull(), shipping);
  const before = await draft();
  t.deepEqual(await pushed(await pull()), []);
  t.deepEqual(await draft(), before);

  const [first, second, third, fourth] = before.tasks;
  t.deepEqual(second?.dependencies, [first?.id] as string[]);
  t.deepEqual(fourth?.dependencies, [second?.id, third?.id] as string[]);
});

test('templates push names tasks by their keys in dependencies and rules', async (t) => {
  const { pushed, pull } = await newShop();
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
  await pushed({ ...shipping, tasks });
  const [, packed, , sent] = (await pull()).tasks;
  t.deepEqual(packed?.dependsOn, ['Ask']);
  t.deepEqual(packed?.rules?.[0]?.actions as object[], [{ type: 'SHOW', tasks: ['Book a lorry'] }]);
  t.deepEqual(sent?.dependsOn, ['Pack', 'Book a lorry']);
});

test('templates push updates, moves and deletes rules and keeps their ids, assignees stay, and deletions need --prune', async (t) => {
  const { org, pushed, push, pull, draft } = await newShop();
  await pushed(shipping);
  const before = await draft();
  const [rule, second] = before.tasks[1]?.rules ?? [];
  const [{ id: assigneeId } = { id: '' }] = (await org.api.call('users', 'list', {})).body.data;
  const params = { id: before.id, taskId: before.tasks[1]?.id ?? '' };
  await org.api.call('templates.tasks', 'update', { params, body: { assigneeId } });

  const assign = { type: 'ASSIGN', task: 'Send', assigneeId };
  const changed = [unnamed, { ...heavy, match: 'ALL', actions: [assign] }];
  t.deepEqual(await pushed({ ...shipping, tasks: [ask, { ...pack, rules: changed }, lorry, { title: 'Send' }] }), [
    'update task Send dependsOn',
    'update rule Pack: Heavy parcels match actions',
    'move rule Pack: rule 2 to place 1',
  ]);
  const after = await draft();
  t.deepEqual(
    after.tasks[1]?.rules.map(({ id }) => id),
    [second?.id, rule?.id] as string[],
  );
  t.is(after.tasks[1]?.assigneeId, assigneeId);
  t.deepEqual((await pull()).tasks[1]?.rules?.[1]?.actions as object[], [assign]);

  const without = { ...shipping, tasks: [ask, { ...pack, rules: [unnamed] }, lorry, { title: 'Send' }] };
  const rejected = await push(without);
  t.is(rejected.code, 6);
  t.regex(rejected.stderr, /not in -\. .*\n {2}rule "Pack: Heavy parcels"\n/);
  t.deepEqual(await draft(), after);
  t.deepEqual(await pushed(without, '--prune'), ['delete rule Pack: Heavy parcels']);
});

test('templates push rejects invalid rules and dependencies with their paths before it sends anything', async (t) => {
  const { org, push } = await newShop();
  const errorsOf = async (tasks: object[]) => {
    const { code, stderr } = await push({ ...shipping, tasks });
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
            { type: 'ASSIGN', task: 'Call', assigneeId: null },
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
