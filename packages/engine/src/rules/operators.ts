import type { FieldType, FieldValue, RuleOperator, VariableType } from '@runward/contract';
import { traitsOf } from '../field-types/table.ts';
import type { ConditionValue } from '../process.ts';
import { caseFolded } from '../text.ts';
import { isFilled } from '../values.ts';

/** How values are compared. Types of the same kind have the same operators. */
export type ComparisonKind = 'text' | 'number' | 'boolean' | 'date' | 'choice' | 'list' | 'presence';

const presence = ['IS_EMPTY', 'IS_NOT_EMPTY'] as const satisfies readonly RuleOperator[];

const operators: Readonly<Record<ComparisonKind, readonly RuleOperator[]>> = {
  text: ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS', 'IN', 'NOT_IN', ...presence],
  number: [
    'EQUALS',
    'NOT_EQUALS',
    'GREATER_THAN',
    'LESS_THAN',
    'GREATER_OR_EQUAL',
    'LESS_OR_EQUAL',
    'IN',
    'NOT_IN',
    ...presence,
  ],
  boolean: ['EQUALS', ...presence],
  date: ['EQUALS', 'NOT_EQUALS', 'BEFORE', 'AFTER', ...presence],
  choice: ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN', ...presence],
  list: ['CONTAINS', 'NOT_CONTAINS', ...presence],
  presence,
};

/** How values of a field type or variable type compare. */
export function comparisonOf(type: FieldType | VariableType): ComparisonKind {
  return traitsOf(type).comparison;
}

/** Groups the types whose values are compared with the same kind of values. */
export function comparedAs(type: FieldType | VariableType): string {
  const kind = comparisonOf(type);
  return kind === 'choice' || kind === 'date' ? type : kind;
}

/** The operators that conditions may use for a type of field or variable. */
export function operatorsOf(type: FieldType | VariableType): readonly RuleOperator[] {
  return operators[comparisonOf(type)];
}

/** Whether an operator compares with a list of values. */
export function takesList(operator: RuleOperator): operator is 'IN' | 'NOT_IN' {
  return operator === 'IN' || operator === 'NOT_IN';
}

/** Whether an operator compares with no value. */
export function takesNoValue(operator: string): operator is 'IS_EMPTY' | 'IS_NOT_EMPTY' {
  return operator === 'IS_EMPTY' || operator === 'IS_NOT_EMPTY';
}

/**
 * Whether a value fulfils a condition. Text is compared case-insensitively, dates as points in time. An empty value
 * fulfils only IS_EMPTY and the negated operators (NOT_...); false is not empty. A caller that compares the same texts
 * again gives a `fold` that keeps its results.
 */
export function fulfils(
  kind: ComparisonKind,
  operator: RuleOperator,
  value: FieldValue,
  expected: ConditionValue | undefined,
  fold = caseFolded,
): boolean {
  if (!isFilled(value)) return operator === 'IS_EMPTY' || operator.startsWith('NOT_');
  if (takesNoValue(operator)) return operator === 'IS_NOT_EMPTY';
  const other = (one: ConditionValue | undefined) => comparable(kind, one as FieldValue, fold);
  const actual = comparable(kind, value, fold);
  const contains = () =>
    Array.isArray(value) ? value.some((one) => one === expected) : String(actual).includes(String(other(expected)));
  switch (operator) {
    case 'EQUALS':
      return actual === other(expected);
    case 'NOT_EQUALS':
      return actual !== other(expected);
    case 'GREATER_THAN':
    case 'AFTER':
      return actual > other(expected);
    case 'LESS_THAN':
    case 'BEFORE':
      return actual < other(expected);
    case 'GREATER_OR_EQUAL':
      return actual >= other(expected);
    case 'LESS_OR_EQUAL':
      return actual <= other(expected);
    case 'CONTAINS':
      return contains();
    case 'NOT_CONTAINS':
      return !contains();
    case 'IN':
      return isList(expected) && expected.some((one) => actual === other(one));
    case 'NOT_IN':
      return !(isList(expected) && expected.some((one) => actual === other(one)));
  }
}

/**
 * Normalizes a value for comparison: text in lower case, timestamps as milliseconds. A date without time stays text,
 * which already sorts by time.
 */
function comparable(
  kind: ComparisonKind,
  value: FieldValue | undefined,
  fold: (text: string) => string,
): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : '';
  if (kind === 'text') return fold(text);
  return kind === 'date' && text.includes('T') ? Date.parse(text) : text;
}

function isList(value: ConditionValue | undefined): value is readonly (string | number)[] {
  return Array.isArray(value);
}
