import type { FieldValue } from '@runward/contract';
import type { Typed } from '../field-types/field-type.ts';
import { traitsOf } from '../field-types/table.ts';

/** A value that fits a field; null for a choice without options. */
export function sampleValue({ type, options = [] }: Typed): FieldValue {
  const { refersTo, isList, sample } = traitsOf(type);
  const [first] = options;
  if (refersTo !== 'option' || !first) return sample;
  return isList ? [first.key] : first.key;
}
