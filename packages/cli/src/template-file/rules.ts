import type { BodyInput, Contract } from '@runward/contract';
import type { RuleAction, RuleCondition, RuleDefinition, TaskDefinition } from '@runward/engine';
import type { ActionEntry, RuleEntry, TaskEntry } from './template-file.ts';

type Rule = NonNullable<BodyInput<Contract['templates.draft']['replace']>['tasks'][number]['rules']>[number];
type Action = Rule['actions'][number];
type Assignment = Pick<TaskEntry, 'assignee' | 'assigneeGroup'>;
type AssignedTo = Pick<TaskDefinition, 'assigneeId' | 'assigneeGroupId'>;

/** Translates the references of a template: to ids for a document; to names, keys and email addresses for a file. */
export interface Names {
  task(name: string): string;
  field(name: string): string;
  user(name: string): string;
  group(name: string): string;
  /** Whether the values of a field, named as on this side, are members. */
  hasUsers(field: string): boolean;
}

/** Converts a rule of a file for the API, without an id. `names` turns keys and titles into ids. */
export function toRule({ key, name, match, conditions, actions }: RuleEntry, names: Names): Rule {
  return {
    key,
    name,
    match,
    conditions: conditions.map(({ field, variable = '', operator, value }) => ({
      source:
        field === undefined ? { type: 'VARIABLE', key: variable } : { type: 'FIELD', fieldId: names.field(field) },
      operator,
      ...operandOf(value, field !== undefined && names.hasUsers(field), names),
    })),
    actions: actions.map((action) => toAction(action, names)),
  };
}

/** A rule in the format of a file, without a key. `names` turns ids into keys and titles. */
export function toRuleEntry(
  { name, match, conditions, actions }: RuleDefinition,
  names: Names,
): Omit<RuleEntry, 'key'> {
  return {
    name,
    match,
    conditions: conditions.map(({ source, operator, value }) => ({
      ...(source.type === 'FIELD' ? { field: names.field(source.fieldId) } : { variable: source.key }),
      operator,
      ...operandOf(value, source.type === 'FIELD' && names.hasUsers(source.fieldId), names),
    })),
    actions: actions.map((action) => toActionEntry(action, names)),
  };
}

/** The value of a condition, with members as the other side calls them. */
function operandOf(value: RuleCondition['value'], isUser: boolean, names: Names) {
  if (value === undefined) return {};
  const one = <Value>(each: Value) => (isUser && typeof each === 'string' ? names.user(each) : each);
  return { value: typeof value === 'object' ? value.map(one) : one(value) };
}

/** Who a task is assigned to, as a document says it. */
export function toAssignee({ assignee, assigneeGroup }: Assignment, names: Names) {
  return {
    assigneeId: assignee === null ? null : names.user(assignee),
    assigneeGroupId: assigneeGroup === null ? null : names.group(assigneeGroup),
  };
}

/** Who a task is assigned to, as a file says it. */
export function toAssigneeEntry({ assigneeId, assigneeGroupId }: AssignedTo, names: Names): Assignment {
  return {
    assignee: assigneeId === null ? null : names.user(assigneeId),
    assigneeGroup: assigneeGroupId === null ? null : names.group(assigneeGroupId),
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
      const { type, task } = action;
      return { type, taskId: names.task(task), ...toAssignee(action, names) };
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
      const { type, taskId } = action;
      return { type, task: names.task(taskId), ...toAssigneeEntry(action, names) };
    }
    case 'SET_VARIABLE': {
      const { type, key: variable, value } = action;
      return { type, variable, value };
    }
  }
}
