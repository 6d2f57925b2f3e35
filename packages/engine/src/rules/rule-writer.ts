import type { FieldValue } from '@runward/contract';
import type { Formats } from '../environment.ts';
import type { ConditionValue, ProcessDocument, RuleCondition, RuleDefinition } from '../process.ts';
import { storedValue } from '../values.ts';

/**
 * Writes the values that rules of a document compare in the form in which values are stored. Values of unknown fields
 * and variables stay as they are.
 */
export function ruleWriter(
  { tasks, variables }: ProcessDocument,
  formats: Formats,
): (rule: RuleDefinition) => RuleDefinition {
  const fields = new Map(tasks.flatMap((task) => task.fields.map((field) => [field.id, field])));
  const write = (condition: RuleCondition): RuleCondition => {
    const { source, value } = condition;
    const typed =
      source.type === 'FIELD' ? fields.get(source.fieldId) : variables.find(({ key }) => key === source.key);
    if (!typed || value === undefined) return condition;
    return { ...condition, value: storedValue(typed, value as FieldValue, formats) as ConditionValue };
  };
  return (rule) => ({ ...rule, conditions: rule.conditions.map(write) });
}
