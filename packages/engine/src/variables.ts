import type { VariableType } from '@runward/contract';
import type { VariableValue } from './process.ts';

/** Whether a value that fitted a flow variable fits it now that the variable has this type. Null fits every type. */
export function isOfType(type: VariableType, value: VariableValue): boolean {
  if (value === null || variableTypeOf(value) === type) return true;
  return type === 'DATE' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** The type that a value has if none is given: TEXT for null and for every string. */
export function variableTypeOf(value: VariableValue): VariableType {
  if (typeof value === 'number') return 'NUMBER';
  return typeof value === 'boolean' ? 'BOOLEAN' : 'TEXT';
}
