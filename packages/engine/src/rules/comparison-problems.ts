import type { FieldValue, RuleOperator } from '@runward/contract';
import type { Formats } from '../environment.ts';
import type { Typed } from '../field-types/field-type.ts';
import type { ConditionValue } from '../process.ts';
import { checkOperand } from '../values.ts';
import { takesList, takesNoValue } from './operators.ts';

/** A comparison with a value; IS_EMPTY and IS_NOT_EMPTY have none. */
export interface Comparison {
  readonly operator: RuleOperator;
  readonly value?: ConditionValue | readonly (string | number | boolean)[] | undefined;
}

/**
 * Every problem of a comparison with a field or flow variable, with the path of `operator` or `value`. The value is
 * checked as one of `operand`.
 */
export function comparisonProblems(
  typed: Typed,
  allowed: readonly RuleOperator[],
  { operator, value }: Comparison,
  formats: Formats,
  operand: Typed = typed,
): string[] {
  if (!allowed.includes(operator)) {
    return [`operator: ${operator} does not fit the type ${typed.type}; use one of ${allowed.join(', ')}`];
  }
  if (takesNoValue(operator)) return value === undefined ? [] : [`value: must be left out with ${operator}`];
  if (value === undefined) return [`value: is required with ${operator}`];
  const check = (one: FieldValue) => checkOperand(operand, one, formats);
  if (!takesList(operator)) {
    const problem = Array.isArray(value) ? 'must be a single value' : check(value as FieldValue);
    return problem === null ? [] : [`value: ${problem}`];
  }
  if (!Array.isArray(value) || value.length === 0) {
    return [`value: must be a list of at least one value with ${operator}`];
  }
  return value.flatMap((one: FieldValue, index) => {
    const problem = check(one);
    return problem === null ? [] : [`value[${index}]: ${problem}`];
  });
}
