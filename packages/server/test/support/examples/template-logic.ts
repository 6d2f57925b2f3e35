import { randomUUID } from 'node:crypto';
import type { Contract } from '@runward/contract';
import { must } from '@runward/testing/process';
import { newTemplate } from '../templates.ts';
import { newRuleId, newTaskId } from '../world/drafts.ts';
import type { Ids, World } from '../world/world.ts';
import type { Example, Examples } from './example.ts';

/** A template with a task with a field and a rule, and another task. */
async function freshLogic(world: World): Promise<Partial<Ids>> {
  const { api } = world;
  const template = await newTemplate(api);
  const task = await newTaskId(world, template);
  const prerequisite = await newTaskId(world, template);
  const params = { id: template, taskId: task };
  const body = { label: 'Field', type: 'TEXT' } as const;
  const { id: field } = await must(api.call('templates.fields', 'create', { params, body }));
  return { template, task, prerequisite, field, rule: await newRuleId(world, { template, task, field }) };
}

async function freshRule(world: World): Promise<Partial<Ids>> {
  const { template, field } = world.ids;
  const task = await newTaskId(world, template);
  return { task, rule: await newRuleId(world, { template, task, field }) };
}

async function withVariable({ api, ids }: World): Promise<Partial<Ids>> {
  await api.call('templates.variables', 'create', { params: { id: ids.template }, body: { key: 'rush' } });
  return {};
}

const isEmpty = (fieldId: string) => ({ source: { type: 'FIELD' as const, fieldId }, operator: 'IS_EMPTY' as const });

const isRush = {
  source: { type: 'VARIABLE' as const, key: 'rush' },
  operator: 'IN' as const,
  value: ['Yes', 'No'],
};

const assign = (taskId: string, assigneeId: string) => ({ type: 'ASSIGN' as const, taskId, assigneeId });

const setRush = { type: 'SET_VARIABLE' as const, key: 'rush', value: 'Yes' };

/** Calls of rules and dependencies. */
export const templateLogicExamples = {
  'templates.rules': {
    create: [
      {
        body: ({ field, task, member }) => ({
          key: `vat_number_${randomUUID()}`,
          name: 'Ask for the VAT number',
          match: 'ANY',
          conditions: [isEmpty(field)],
          actions: [assign(task, member)],
        }),
      },
      {
        body: ({ field, task: taskId, group }) => ({
          conditions: [{ ...isEmpty(field), operator: 'EQUALS', value: 'Yes' }],
          actions: [{ type: 'ASSIGN', taskId, assigneeGroupId: group }],
        }),
      },
      {
        before: withVariable,
        body: ({ prerequisite }) => ({
          conditions: [isRush],
          actions: [{ type: 'SHOW', taskIds: [prerequisite] }],
        }),
      },
      {
        before: withVariable,
        body: ({ field }) => ({
          conditions: [isRush],
          actions: [{ type: 'HIDE', fieldIds: [field] }],
        }),
      },
      { before: withVariable, body: ({ field }) => ({ conditions: [isEmpty(field)], actions: [setRush] }) },
    ],
    update: [
      { before: freshLogic, body: () => ({ key: 'vat-number', name: 'VAT number is missing', match: 'ANY' }) },
      {
        before: freshLogic,
        body: ({ field, task, member }) => ({ conditions: [isEmpty(field)], actions: [assign(task, member)] }),
      },
      {
        before: freshLogic,
        body: ({ prerequisite }) => ({ actions: [{ type: 'HIDE', taskIds: [prerequisite] }] }),
      },
      {
        before: withVariable,
        body: ({ field }) => ({ conditions: [isRush], actions: [{ type: 'SHOW', fieldIds: [field] }] }),
      },
      { before: withVariable, body: ({ field }) => ({ conditions: [isEmpty(field)], actions: [setRush] }) },
      {
        before: freshLogic,
        body: ({ task: taskId, group }) => ({ actions: [{ type: 'ASSIGN', taskId, assigneeGroupId: group }] }),
      },
    ],
    reorder: [{ before: freshRule, body: ({ rule }) => ({ ruleIds: [rule] }) }],
    delete: [{ before: async (world) => ({ rule: await newRuleId(world, world.ids) }) }],
  },
  'templates.dependencies': {
    set: [{ body: ({ prerequisite }) => ({ taskIds: [prerequisite] }) }],
  },
} as const satisfies Examples;

type Replace = Example<Contract['templates.draft']['replace']>;
type Rule = NonNullable<ReturnType<NonNullable<Replace['body']>>['tasks'][number]['rules']>[number];

const withRule = (ruleOf: (ids: Ids) => Rule): Replace => ({
  before: freshLogic,
  body: (ids) => ({
    phases: [],
    tasks: [
      { title: 'New', dependencies: [ids.prerequisite], rules: [ruleOf(ids)] },
      { id: ids.prerequisite, title: 'Sanctions check' },
      { id: ids.task, title: 'Company details', fields: [{ id: ids.field, label: 'Field', type: 'TEXT' }] },
    ],
    variables: [{ key: 'rush', name: 'Rush', type: 'TEXT' }],
  }),
});

/** Drafts with rules and dependencies. The sweeps repeat tasks, so the id of a rule stands in a call of its own. */
export const draftLogicExamples: readonly Replace[] = [
  {
    before: freshLogic,
    body: ({ rule: id }) => ({
      phases: [],
      tasks: [{ title: 'New', rules: [{ id, conditions: [isRush], actions: [{ ...setRush, key: 'fast' }] }] }],
      variables: [{ key: 'rush', name: 'Rush', type: 'TEXT' }, { key: 'fast' }],
    }),
  },
  {
    before: freshLogic,
    body: () => ({
      phases: [{ key: 'compliance', name: 'Compliance' }],
      tasks: [
        {
          key: 'company-details',
          title: 'Company details',
          rules: [{ key: 'hurry', name: 'Hurry', conditions: [isRush], actions: [{ ...setRush, key: 'fast' }] }],
        },
      ],
      variables: [{ key: 'rush', name: 'Rush', required: true }, { key: 'fast' }],
    }),
  },
  withRule(({ field, task, member }) => ({
    name: 'Ask for the VAT number',
    match: 'ANY',
    conditions: [isEmpty(field)],
    actions: [assign(task, member)],
  })),
  withRule(({ task: taskId, group }) => ({
    conditions: [isRush],
    actions: [{ type: 'ASSIGN', taskId, assigneeGroupId: group }],
  })),
  withRule(({ prerequisite }) => ({ conditions: [isRush], actions: [{ type: 'SHOW', taskIds: [prerequisite] }] })),
  withRule(({ field }) => ({ conditions: [isRush], actions: [{ type: 'HIDE', fieldIds: [field] }] })),
  withRule(({ field }) => ({ conditions: [isEmpty(field)], actions: [setRush] })),
];
