import type { FieldValue, VariableType } from '@runward/contract';
import type { Formats } from './environment.ts';
import type { VariableValue } from './process.ts';

/**
 * Checks a value for a flow variable. Returns null if it fits, otherwise what is wrong, to be put behind the key: `must be a number, like
 * 12.5`. Null fits every type.
 */
export function checkVariable(type: VariableType, value: FieldValue, { isDate }: Formats): string | null {
  if (value === null) return null;
  switch (type) {
    case 'TEXT':
      return typeof value === 'string' ? null : 'must be a string';
    case 'NUMBER':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number, like 12.5';
    case 'BOOLEAN':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'DATE':
      return typeof value === 'string' && isDate(value)
        ? null
        : 'must be a date between the years 1900 and 2999, like "2026-03-01"';
  }
}

/** Whether a value that fitted a flow variable fits it now that the variable has this type. Null fits every type. */
export function isOfType(type: VariableType, value: VariableValue): boolean {
  if (value === null) return true;
  switch (type) {
    case 'TEXT':
      return typeof value === 'string';
    case 'NUMBER':
      return typeof value === 'number';
    case 'BOOLEAN':
      return typeof value === 'boolean';
    case 'DATE':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  }
}

/** The type that a value has if none is given: TEXT for null and for every string. */
export function variableTypeOf(value: VariableValue): VariableType {
  if (typeof value === 'number') return 'NUMBER';
  return typeof value === 'boolean' ? 'BOOLEAN' : 'TEXT';
}
