import type { FieldValue } from '@runward/contract';
import type { Formats } from '../environment.ts';
import type {
  FieldDefinition,
  ProcessDocument,
  RuleCondition,
  TaskDefinition,
  VariableDefinition,
} from '../process.ts';
import { graphOf, sourceOf, type Target } from '../rules/graph.ts';
import { comparisonOf, fulfils } from '../rules/operators.ts';
import { checkValue, isFilled } from '../values.ts';
import { candidatesOf } from './candidates.ts';

/** A field or flow variable that rules read, with values that represent all possible values. */
export interface Domain {
  readonly read: FieldDefinition | VariableDefinition;
  /** The task that has the field; null for a variable. */
  readonly task: TaskDefinition | null;
  /** One value per class that the conditions distinguish; null (nothing entered) comes first if it is possible. */
  readonly values: readonly FieldValue[];
  /** Whether every class has a value; otherwise some are missing. */
  readonly complete: boolean;
}

/** The fields that rules read, in document order, then the variables. */
export function domainsOf(document: ProcessDocument, formats: Formats): ReadonlyMap<Target, Domain> {
  const conditions = new Map<Target, RuleCondition[]>();
  for (const { rule } of graphOf(document).rules) {
    for (const condition of rule.conditions) {
      const source = sourceOf(condition);
      conditions.set(source, [...(conditions.get(source) ?? []), condition]);
    }
  }
  const inputs = [
    ...document.tasks.flatMap((task) =>
      task.fields.map((field) => ({ target: `field:${field.id}` as const, read: field, task })),
    ),
    ...document.variables.map((variable) => ({
      target: `variable:${variable.key}` as const,
      read: variable,
      task: null,
    })),
  ];
  return new Map(
    inputs.flatMap(({ target, read, task }) => {
      const reading = conditions.get(target);
      if (!reading) return [];
      const { values, complete } = representatives(read, reading, formats);
      // No run is launched without a required variable; the values of a form are entered later.
      const possible = task === null && read.required ? values.filter(isFilled) : values;
      return [[target, { read, task, values: possible, complete }] as const];
    }),
  );
}

function representatives(
  read: FieldDefinition | VariableDefinition,
  conditions: readonly RuleCondition[],
  formats: Formats,
): Pick<Domain, 'values' | 'complete'> {
  const kind = comparisonOf(read.type);
  const { values, patterns, tooMany } = candidatesOf(read, conditions);
  const classOf = (value: FieldValue) =>
    [isFilled(value), ...conditions.map((one) => fulfils(kind, one.operator, value, one.value))].map(Number).join('');
  const found = new Map<string, FieldValue>();
  for (const value of values) {
    if (!found.has(classOf(value)) && checkValue(read, value, formats) === null) found.set(classOf(value), value);
  }
  const complete = !tooMany && patterns.every((pattern) => found.has(classOf(pattern)));
  return { values: [...found.values()], complete };
}
