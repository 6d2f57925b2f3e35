import type { VariableType } from '@runward/contract';
import type { VariableValue } from './process.ts';

/** Whether the value of a flow variable fits after its type changed. Null fits every type. */
export function isOfType(type: VariableType, value: VariableValue): boolean {
  if (value === null || variableTypeOf(value) === type) return true;
  return type === 'DATE' && typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** The default type of a value: TEXT for null and every string. */
export function variableTypeOf(value: VariableValue): VariableType {
  if (typeof value === 'number') return 'NUMBER';
  return typeof value === 'boolean' ? 'BOOLEAN' : 'TEXT';
}
