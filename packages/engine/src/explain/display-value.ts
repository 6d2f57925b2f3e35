import type { FieldValue } from '@runward/contract';
import type { Typed } from '../field-types/field-type.ts';
import { traitsOf } from '../field-types/table.ts';
import type { Instant, LocalDate } from '../time.ts';
import { isFilled } from '../values.ts';

/** Supplies the texts for ids and timestamps in explanations. */
export interface Display {
  /** The name of a member, group or file; the id itself if it has none. */
  nameOf(id: string): string;
  date(date: LocalDate): string;
  dateTime(at: Instant): string;
}

/**
 * A value as people read it: labels for options, names for members, `Yes` and `No` for booleans. Null if it is empty.
 */
export function displayValue({ type, options = [] }: Typed, value: FieldValue, display: Display): string | null {
  if (!isFilled(value)) return null;
  const { refersTo, show = String } = traitsOf(type);
  const each = (one: FieldValue): string => {
    if (refersTo === undefined) return show(one, display);
    const key = String(one);
    return refersTo === 'option' ? (options.find((option) => option.key === key)?.label ?? key) : display.nameOf(key);
  };
  return [value].flat().map(each).join(', ');
}
