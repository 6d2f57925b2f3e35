import type { FieldValue } from '@runward/contract';
import type { Typed } from '../field-types/field-type.ts';
import { traitsOf } from '../field-types/table.ts';

/** A value that a field takes; null if it takes none, because it has no options. */
export function sampleValue({ type, options = [] }: Typed): FieldValue {
  const { refersTo, isList, sample } = traitsOf(type);
  const [first] = options;
  if (refersTo !== 'option' || !first) return sample;
  return isList ? [first.key] : first.key;
}
