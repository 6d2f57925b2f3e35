import type { BodyInput, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newTemplate, readTasks } from '../support/templates.ts';

const app = useSharedApp(test);

type NewRule = BodyInput<Contract['templates.rules']['create']>;

/** A template with the tasks "Ask", which has a field of each of these types, and "Ship". */
async function newForm(api: Api) {
  const id = await newTemplate(api);
  const ask = (await addTask(api, id, { title: 'Ask' })).id;
  const ship = (await addTask(api, id, { title: 'Ship' })).id;
  const params = { id, taskId: ask };
  const newField = async (body: BodyInput<Contract['templates.fields']['create']>) =>
    (await must(api.call('templates.fields', 'create', { params, body }))).id;
  const options = [{ key: 'air', label: 'By air' }];
  return {
    id,
    ask,
    ship,
    params,
    text: await newField({ label: 'City', type: 'TEXT' }),
    number: await newField({ label: 'Weight', type: 'NUMBER' }),
    choice: await newField({ label: 'Mode', type: 'DROPDOWN', options }),
  };
}

function condition(fieldId: string, operator: NewRule['conditions'][number]['operator'] = 'IS_EMPTY', value?: never) {
  return { source: { type: 'FIELD' as const, fieldId }, operator, ...(value !== undefined && { value }) };
}

test('a rule is added at the end of a task, updated, reordered and deleted', async (t) => {
  const { api } = await newOrganization(app);
  const { params, ask, ship, text } = await newForm(api);
  const create = async (name: string) => {
    const body: NewRule = { name, conditions: [condition(text)], actions: [{ type: 'HIDE', taskIds: [ship] }] };
    return must(api.call('templates.rules', 'create', { params, body }));
  };
  const [one, two] = [await create('One'), await create('Two')];
  t.deepEqual(one, {
    id: one.id,
    key: null,
    name: 'One',
    match: 'ALL',
    conditions: [condition(text)],
    actions: [{ type: 'HIDE', taskIds: [ship], fieldIds: [] }],
  });

  const changes: Partial<NewRule> = { match: 'ANY', actions: [{ type: 'SHOW', taskIds: [ship] }] };
  const ofOne = { ...params, ruleId: one.id };
  const updated = await must(api.call('templates.rules', 'update', { params: ofOne, body: changes }));
  t.deepEqual(updated, { ...one, match: 'ANY', actions: [{ type: 'SHOW', taskIds: [ship], fieldIds: [] }] });

  const reordered = await must(api.call('templates.rules', 'reorder', { params, body: { ruleIds: [two.id, one.id] } }));
  t.deepEqual(reordered.rules, [two, updated]);
  t.is((await api.call('templates.rules', 'delete', { params: { ...params, ruleId: two.id } })).status, 204);
  const task = (await readTasks(api, params.id)).find(({ id }) => id === ask);
  t.deepEqual(task?.rules, [updated]);
});

test('reordering takes every rule of the task once', async (t) => {
  const { api } = await newOrganization(app);
  const { params, ship, text } = await newForm(api);
  const body: NewRule = { conditions: [condition(text)], actions: [{ type: 'HIDE', taskIds: [ship] }] };
  const { id } = await must(api.call('templates.rules', 'create', { params, body }));
  const message = `ruleIds: must contain every rule of the task once; its rules are: ${id}`;
  for (const ruleIds of [[], [ship]]) {
    await isRejected(t, api.call('templates.rules', 'reorder', { params, body: { ruleIds } }), 400, [message]);
  }
});

test('a rule with unknown parts, or with operators and values that do not fit, is rejected with every path', async (t) => {
  const { api } = await newOrganization(app);
  const { params, ask, ship, text, number, choice } = await newForm(api);
  const unknown = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a70';
  const body = {
    conditions: [
      condition(unknown),
      { source: { type: 'FIELD', fieldId: text }, operator: 'GREATER_THAN', value: 'a' },
      { source: { type: 'FIELD', fieldId: number }, operator: 'EQUALS', value: 'ten' },
      { source: { type: 'FIELD', fieldId: choice }, operator: 'IN', value: ['air', 'sea'] },
      { source: { type: 'FIELD', fieldId: number }, operator: 'IS_EMPTY', value: 1 },
      { source: { type: 'FIELD', fieldId: number }, operator: 'EQUALS' },
      { source: { type: 'VARIABLE', key: 'rush' }, operator: 'IS_EMPTY' },
    ],
    actions: [
      { type: 'SHOW', taskIds: [ship, unknown], fieldIds: [unknown] },
      { type: 'HIDE' },
      { type: 'ASSIGN', taskId: ask },
      { type: 'SET_VARIABLE', key: 'rush', value: true },
    ],
  } as unknown as NewRule;
  const noField = `the template has no field ${unknown}; use the id of one of its fields`;
  const noVariable = 'the template has no flow variable "rush"; use the key of one of its variables';
  await isRejected(t, api.call('templates.rules', 'create', { params, body }), 400, [
    `conditions[0].source.fieldId: ${noField}`,
    'conditions[1].operator: GREATER_THAN does not fit the type TEXT; use one of EQUALS, NOT_EQUALS, CONTAINS, NOT_CONTAINS, IN, ' +
      'NOT_IN, IS_EMPTY, IS_NOT_EMPTY',
    'conditions[2].value: must be a number, like 12.5',
    'conditions[3].value[1]: must be one of the option keys: air',
    'conditions[4].value: must be left out with IS_EMPTY',
    'conditions[5].value: is required with EQUALS',
    `conditions[6].source.key: ${noVariable}`,
    `actions[0].taskIds[1]: the template has no task ${unknown}; use the id of one of its tasks`,
    `actions[0].fieldIds[0]: ${noField}`,
    'actions[1].taskIds: must name a task, unless fieldIds names a field',
    'actions[2].assigneeId: send either assigneeId or assigneeGroupId',
    `actions[3].key: ${noVariable}`,
  ]);
  t.deepEqual(
    (await readTasks(api, params.id)).flatMap(({ rules }) => rules),
    [],
  );
});

test('a rule that assigns to unknown members and groups is rejected with the path of each', async (t) => {
  const { api } = await newOrganization(app);
  const { params, ask, ship, text } = await newForm(api);
  const unknown = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a70';
  const body: NewRule = {
    conditions: [condition(text)],
    actions: [
      { type: 'ASSIGN', taskId: ask, assigneeId: unknown },
      { type: 'HIDE', taskIds: [ship] },
      { type: 'ASSIGN', taskId: ship, assigneeGroupId: unknown },
    ],
  };
  await isRejected(t, api.call('templates.rules', 'create', { params, body }), 400, [
    'actions[0].assigneeId: not an active member of this organization; see GET /users',
    'actions[2].assigneeGroupId: not a group of this organization; see GET /groups',
  ]);
});

test('a rule that changes what it depends on is rejected', async (t) => {
  const { api } = await newOrganization(app);
  const { params, ask, text } = await newForm(api);
  const create = (action: NewRule['actions'][number]) =>
    api.call('templates.rules', 'create', { params, body: { conditions: [condition(text)], actions: [action] } });
  const problem = (what: string) => [
    `actions[0]: changes the ${what} that the rule itself depends on; remove one of them`,
  ];
  await isRejected(t, create({ type: 'HIDE', fieldIds: [text] }), 400, problem('field'));
  await isRejected(t, create({ type: 'HIDE', taskIds: [ask] }), 400, problem('task'));
});

test('publish names the path of rules that depend on each other, and rules that name something deleted', async (t) => {
  const { api } = await newOrganization(app);
  const { id, params, ship, text, number, choice } = await newForm(api);
  const other = await must(
    api.call('templates.fields', 'create', { params: { id, taskId: ship }, body: { label: 'Truck', type: 'TEXT' } }),
  );
  const create = (name: string, read: string, hidden: string) => {
    const body: NewRule = { name, conditions: [condition(read)], actions: [{ type: 'HIDE', fieldIds: [hidden] }] };
    return must(api.call('templates.rules', 'create', { params, body }));
  };
  await create('A', text, other.id);
  const { id: ruleId } = await create('B', other.id, text);
  await create('C', number, choice);
  const { id: otherId } = await create('D', choice, number);
  const cycle = (one: string, two: string) =>
    `Rules depend on each other: rule "${one}" of the task "Ask" -> rule "${two}" of the task "Ask" -> rule "${one}" of the task "Ask"; ` +
    'change one of them so that it no longer depends on the others.';
  const rejected = api.call('templates', 'publish', { params: { id } });
  await isRejected(t, rejected, 400, [cycle('A', 'B'), cycle('C', 'D')]);

  for (const each of [ruleId, otherId])
    await must(api.call('templates.rules', 'delete', { params: { ...params, ruleId: each } }));
  await must(api.call('templates.tasks', 'delete', { params: { id, taskId: ship } }));
  await isRejected(t, api.call('templates', 'publish', { params: { id } }), 400, [
    `The rule "A" of the task "Ask": actions[0].fieldIds[0]: the template has no field ${other.id}; use the id of one of its fields.`,
  ]);
});

test('a copy of a template has rules and dependencies of its own', async (t) => {
  const { api } = await newOrganization(app);
  const { id, params, ask, ship, text } = await newForm(api);
  await must(
    api.call('templates.rules', 'create', {
      params,
      body: { conditions: [condition(text)], actions: [{ type: 'HIDE', taskIds: [ship] }] },
    }),
  );
  await must(api.call('templates.dependencies', 'set', { params: { id, taskId: ship }, body: { taskIds: [ask] } }));
  const copy = await must(api.call('templates', 'duplicate', { params: { id } }));
  const [first, second] = await readTasks(api, copy.id);
  t.deepEqual(second?.dependencies, [first?.id]);
  t.like(first?.rules[0], {
    conditions: [condition(first?.fields[0]?.id ?? '')],
    actions: [{ type: 'HIDE', taskIds: [second?.id ?? ''], fieldIds: [] }],
  });
  t.not(first?.id, ask);
});
