import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { idList } from '../values.ts';
import { draftRejections } from './rejections.ts';
import { newRule, rule, ruleChanges } from './rule-types.ts';
import { task } from './tasks.ts';

/** Conditional-logic rules of the tasks of a draft (spec: Templates). */
export const templateRules = {
  create: {
    method: 'POST',
    path: '/templates/:id/tasks/:taskId/rules',
    large: true,
    access: 'templates:write',
    summary: 'Add a rule to the end of a task',
    description:
      'A rule can read fields of any task and change any task or field; the task it belongs to sets its place in the order. If several ' +
      'matching rules change the same target, the last one by position of the task, then of the rule, takes effect. Returns 400 with ' +
      'the path of each unknown id, of an operator or value that does not fit, and if the rule changes what it depends on. A template ' +
      'has at most 500 rules. Changes only the draft.',
    body: newRule.meta({ id: 'CreateRule', description: 'A new rule.' }),
    errors: draftRejections,
    status: 201,
    response: rule,
  },
  update: {
    method: 'PUT',
    path: '/templates/:id/tasks/:taskId/rules/:ruleId',
    large: true,
    access: 'templates:write',
    summary: 'Update a rule',
    description: 'Properties that are left out do not change; lists are replaced. Changes only the draft.',
    body: ruleChanges.meta({
      id: 'UpdateRule',
      description: 'Changes of a rule. Properties that are left out do not change.',
    }),
    errors: draftRejections,
    response: rule,
  },
  reorder: {
    method: 'PATCH',
    path: '/templates/:id/tasks/:taskId/rules/reorder',
    large: true,
    access: 'templates:write',
    summary: 'Reorder the rules of a task',
    description: 'Returns 400 unless `ruleIds` contains every rule of the task once. Changes only the draft.',
    body: component('ReorderRules', 'A new order of the rules of a task.', {
      ruleIds: idList(500).describe('All rules of the task, in their new order.'),
    }),
    errors: draftRejections,
    response: task,
  },
  delete: {
    method: 'DELETE',
    path: '/templates/:id/tasks/:taskId/rules/:ruleId',
    large: true,
    access: 'templates:write',
    summary: 'Delete a rule',
    description: 'Changes only the draft: published versions and their runs keep the rule.',
    errors: draftRejections,
  },
} as const satisfies Group;
