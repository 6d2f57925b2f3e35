import type { FieldDefinition, RuleAction, RuleCondition, RuleDefinition, TaskDefinition } from '../process.ts';

/** The ids that take the place of the ids of tasks and fields. */
export interface Renaming {
  task(id: string): string;
  field(id: string): string;
}

/** Renames the ids of tasks and fields in the conditions and actions of a rule. */
export function renameInRule<Rule extends Pick<RuleDefinition, 'conditions' | 'actions'>>(
  rule: Rule,
  rename: Renaming,
): Rule {
  return {
    ...rule,
    conditions: rule.conditions.map((condition) => inCondition(condition, rename)),
    actions: rule.actions.map((action) => inAction(action, rename)),
  };
}

/** A field with other ids in its look-up. */
export function renameInField(field: FieldDefinition, rename: Renaming): FieldDefinition {
  const { dataSource } = field;
  if (!dataSource) return field;
  const autoFill = dataSource.autoFill.map(({ columnId, fieldId }) => ({ columnId, fieldId: rename.field(fieldId) }));
  return { ...field, dataSource: { ...dataSource, autoFill } };
}

/** Maps the ids of these parts to new ids, consistently. Other ids stay the same. */
export function renamingOf(parts: readonly { readonly id: string }[], newId: () => string): Renaming {
  const ids = new Map(parts.map(({ id }) => [id, newId()]));
  const rename = (id: string) => ids.get(id) ?? id;
  return { task: rename, field: rename };
}

/** Copies the dependencies and rules of a task, with renamed ids of tasks and fields. Each rule gets a new id. */
export function copiedReferences(
  { dependencies, rules }: Pick<TaskDefinition, 'dependencies' | 'rules'>,
  rename: Renaming,
  newId: () => string,
): Pick<TaskDefinition, 'dependencies' | 'rules'> {
  return {
    dependencies: dependencies.map(rename.task),
    rules: rules.map((rule) => ({ ...renameInRule(rule, rename), id: newId() })),
  };
}

function inCondition(condition: RuleCondition, rename: Renaming): RuleCondition {
  const { source } = condition;
  return source.type === 'FIELD'
    ? { ...condition, source: { ...source, fieldId: rename.field(source.fieldId) } }
    : condition;
}

function inAction(action: RuleAction, rename: Renaming): RuleAction {
  switch (action.type) {
    case 'SHOW':
    case 'HIDE':
      return { ...action, taskIds: action.taskIds.map(rename.task), fieldIds: action.fieldIds.map(rename.field) };
    case 'ASSIGN':
      return { ...action, taskId: rename.task(action.taskId) };
    case 'SET_VARIABLE':
      return action;
  }
}
