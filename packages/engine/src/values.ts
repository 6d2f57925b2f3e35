import type { FieldType, FieldValue } from '@runward/contract';
import type { Formats } from './environment.ts';
import type { Typed } from './field-types/field-type.ts';
import { traitsOf } from './field-types/table.ts';

/**
 * Checks a value for a field or flow variable. Returns null if it fits. Otherwise returns text that follows the field's
 * label: `must be a number, like 12.5`. Null fits every type.
 */
export function checkValue({ type, options = [] }: Typed, value: FieldValue, formats: Formats): string | null {
  return value === null ? null : traitsOf(type).check(value, options, formats);
}

/** A value that fits a field or flow variable, in the form in which it is stored: ids are in lower case. */
export function storedValue({ type }: Typed, value: FieldValue, formats: Formats): FieldValue {
  return traitsOf(type).stored?.(value, formats) ?? value;
}

/** Checks the value that a condition compares with a field or flow variable, like {@link checkValue}. */
export function checkOperand({ type, options = [] }: Typed, value: FieldValue, formats: Formats): string | null {
  const { check, checkOperand: checkOther = check } = traitsOf(type);
  return value === null ? null : checkOther(value, options, formats);
}

/**
 * Whether a value that fitted a field of type `was` still fits. The type must be the same, or a text type that became
 * free text, and every chosen option must still exist.
 */
export function stillFits({ type, options = [] }: Typed, was: FieldType, value: FieldValue): boolean {
  if (value === null) return true;
  const { isFreeText, refersTo } = traitsOf(type);
  if (type !== was && !(isFreeText && traitsOf(was).comparison === 'text')) return false;
  return refersTo !== 'option' || [value].flat().every((one) => options.some(({ key }) => key === one));
}

/** Whether a value satisfies a required field. False counts as a value. */
export function isFilled(value: FieldValue): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) ? value.length > 0 : value !== null;
}
