import type { FieldType, RuleOperator, ValueFilter, ValueOperator, VariableType } from '@runward/contract';
import type { Formats } from './environment.ts';
import { traitsOf } from './field-types/table.ts';
import { comparisonProblems } from './rules/comparison-problems.ts';
import { operatorsOf } from './rules/operators.ts';

/**
 * The operators with which runs are found by a value: those of conditions without the negated ones. Rows of data
 * sources are also found by a part of their label.
 */
export function searchOperatorsOf(type: FieldType | VariableType): ValueOperator[] {
  const operators = operatorsOf(type).filter(isValueOperator);
  return traitsOf(type).refersTo === 'row' ? [...operators, 'CONTAINS'] : operators;
}

function isValueOperator(operator: RuleOperator): operator is ValueOperator {
  return !operator.startsWith('NOT_');
}

/**
 * Every problem of a filter by the value of a field or flow variable, with the path of `operator` or `value`. Options
 * and rows are not looked up, because older runs may have others than the template has now.
 */
export function valueFilterProblems(
  type: FieldType | VariableType,
  { operator, value }: Pick<ValueFilter, 'operator' | 'value'>,
  formats: Formats,
): string[] {
  const { refersTo } = traitsOf(type);
  const operand = refersTo === 'option' || refersTo === 'row' ? ({ type: 'TEXT' } as const) : { type };
  return comparisonProblems({ type }, searchOperatorsOf(type), { operator, value }, formats, operand);
}
