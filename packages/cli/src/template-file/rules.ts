import type { BodyInput, Contract } from '@runward/contract';
import type { RuleAction, RuleDefinition } from '@runward/engine';
import type { ActionEntry, RuleEntry } from './template-file.ts';

type Rule = NonNullable<BodyInput<Contract['templates.draft']['replace']>['tasks'][number]['rules']>[number];
type Action = Rule['actions'][number];

/** How the tasks and fields that a rule names are called on the other side. */
export interface Names {
  task(name: string): string;
  field(name: string): string;
}

/** A rule of a file as the API takes it, without an id. `names` turns keys and titles into ids. */
export function toRule({ name, match, conditions, actions }: RuleEntry, names: Names): Rule {
  return {
    name,
    match,
    conditions: conditions.map(({ field, variable = '', operator, value }) => ({
      source:
        field === undefined ? { type: 'VARIABLE', key: variable } : { type: 'FIELD', fieldId: names.field(field) },
      operator,
      ...(value !== undefined && { value: typeof value === 'object' ? [...value] : value }),
    })),
    actions: actions.map((action) => toAction(action, names)),
  };
}

/** A rule in the format of a file. `names` turns ids into keys and titles. */
export function toRuleEntry({ name, match, conditions, actions }: RuleDefinition, names: Names): RuleEntry {
  return {
    name,
    match,
    conditions: conditions.map(({ source, operator, value }) => ({
      ...(source.type === 'FIELD' ? { field: names.field(source.fieldId) } : { variable: source.key }),
      operator,
      ...(value !== undefined && { value }),
    })),
    actions: actions.map((action) => toActionEntry(action, names)),
  };
}

function toAction(action: ActionEntry, names: Names): Action {
  switch (action.type) {
    case 'SHOW':
    case 'HIDE': {
      const { type, tasks, fields } = action;
      return { type, taskIds: tasks.map((task) => names.task(task)), fieldIds: fields.map((key) => names.field(key)) };
    }
    case 'ASSIGN': {
      const { type, task, assigneeId, assigneeGroupId } = action;
      return { type, taskId: names.task(task), assigneeId, assigneeGroupId };
    }
    case 'SET_VARIABLE': {
      const { type, variable: key, value } = action;
      return { type, key, value };
    }
  }
}

function toActionEntry(action: RuleAction, names: Names): ActionEntry {
  switch (action.type) {
    case 'SHOW':
    case 'HIDE': {
      const { type, taskIds, fieldIds } = action;
      return { type, tasks: taskIds.map((id) => names.task(id)), fields: fieldIds.map((id) => names.field(id)) };
    }
    case 'ASSIGN': {
      const { type, taskId, assigneeId, assigneeGroupId } = action;
      return { type, task: names.task(taskId), assigneeId, assigneeGroupId };
    }
    case 'SET_VARIABLE': {
      const { type, key: variable, value } = action;
      return { type, variable, value };
    }
  }
}
