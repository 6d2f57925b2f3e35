import type { Formats } from '../environment.ts';
import type { ProcessDocument, RuleAction, RuleCondition, RuleDefinition, TaskDefinition } from '../process.ts';
import { ruleCheck } from '../rules/check-rule.ts';
import { ruleWriter } from '../rules/rule-writer.ts';
import { changed, invalid, notFound, partOf, replaced, without, type Changes, type Edited } from './edit.ts';
import { withinLimits } from './limits.ts';
import { keptKey, partKeys, repeatedKeyProblems } from './part-keys.ts';

/** A new rule. Defaults: no name, and all conditions (ALL) must be fulfilled. */
export interface NewRule {
  readonly key?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly match?: RuleDefinition['match'] | undefined;
  readonly conditions: readonly RuleCondition[];
  readonly actions: readonly ActionInput[];
}

/** An action as callers send it. Absent properties are empty. */
export type ActionInput =
  | {
      readonly type: 'SHOW' | 'HIDE';
      readonly taskIds?: readonly string[] | undefined;
      readonly fieldIds?: readonly string[] | undefined;
    }
  | {
      readonly type: 'ASSIGN';
      readonly taskId: string;
      readonly assigneeId?: string | null | undefined;
      readonly assigneeGroupId?: string | null | undefined;
    }
  | Extract<RuleAction, { type: 'SET_VARIABLE' }>;

/** Changes of a rule. */
export type RuleChanges = Changes<NewRule>;

/** A rule with the defaults of a new one. */
export function newRule(id: string, { key, name = null, match = 'ALL', conditions, actions }: NewRule): RuleDefinition {
  return { id, ...(key != null && { key }), name, match, conditions, actions: actions.map(actionOf) };
}

/** Adds a rule at the end of a task's rules. */
export function addRule(
  document: ProcessDocument,
  taskId: string,
  id: string,
  rule: NewRule,
  formats: Formats,
): Edited<RuleDefinition> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  const added = ruleWriter(document, formats)(newRule(id, rule));
  return withRule(document, task, added, [...task.rules, added], formats);
}

/** Changes a rule. */
export function updateRule(
  document: ProcessDocument,
  taskId: string,
  ruleId: string,
  changes: RuleChanges,
  formats: Formats,
): Edited<RuleDefinition> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  const rule = partOf(task.rules, ruleId);
  if (!rule) return notFound('Rule');
  const { actions, ...others } = changes;
  const renamed = others.name !== undefined && others.name !== rule.name;
  const key = keptKey({ before: rule, given: others.key, renamed, keys: () => partKeys(document).rules });
  const value = ruleWriter(document, formats)(changed(rule, { ...others, key, actions: actions?.map(actionOf) }));
  return withRule(document, task, value, replaced(task.rules, value), formats);
}

/** Reorders the rules of a task. The new order must name each rule once. */
export function reorderRules(
  document: ProcessDocument,
  taskId: string,
  ruleIds: readonly string[],
): Edited<TaskDefinition> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  const rules = ruleIds.flatMap((id) => partOf(task.rules, id) ?? []);
  if (ruleIds.length !== task.rules.length || new Set(rules).size !== task.rules.length) {
    const ids = task.rules.map(({ id }) => id).join(', ') || 'none';
    return invalid(`ruleIds: must contain every rule of the task once; its rules are: ${ids}`);
  }
  const value = { ...task, rules };
  return { document: { ...document, tasks: replaced(document.tasks, value) }, value };
}

/** Removes a rule. */
export function removeRule(document: ProcessDocument, taskId: string, ruleId: string): Edited<null> {
  const task = partOf(document.tasks, taskId);
  if (!task) return notFound('Task');
  if (!partOf(task.rules, ruleId)) return notFound('Rule');
  const tasks = replaced(document.tasks, { ...task, rules: without(task.rules, ruleId) });
  return { document: { ...document, tasks }, value: null };
}

function actionOf(action: ActionInput): RuleAction {
  switch (action.type) {
    case 'SHOW':
    case 'HIDE':
      return { type: action.type, taskIds: action.taskIds ?? [], fieldIds: action.fieldIds ?? [] };
    case 'ASSIGN': {
      const { type, taskId, assigneeId = null, assigneeGroupId = null } = action;
      return { type, taskId, assigneeId, assigneeGroupId };
    }
    case 'SET_VARIABLE':
      return action;
  }
}

function withRule(
  document: ProcessDocument,
  task: TaskDefinition,
  rule: RuleDefinition,
  rules: readonly RuleDefinition[],
  formats: Formats,
): Edited<RuleDefinition> {
  const all = document.tasks.flatMap((each) => each.rules);
  const problems = [...repeatedKeyProblems('rule', rule, all), ...ruleCheck(document, formats)(rule)];
  if (problems.length > 0) return invalid(problems);
  return withinLimits({ ...document, tasks: replaced(document.tasks, { ...task, rules }) }, rule);
}
