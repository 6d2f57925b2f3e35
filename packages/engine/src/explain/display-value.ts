import type { FieldType, FieldValue, VariableType } from '@runward/contract';
import type { FieldOption } from '../process.ts';
import type { Instant, LocalDate } from '../time.ts';
import { isFilled } from '../values.ts';

/** How a text for people names what the engine knows by id or as a timestamp. */
export interface Display {
  /** The name of a member, group or file; the id itself if it has none. */
  nameOf(id: string): string;
  date(date: LocalDate): string;
  dateTime(at: Instant): string;
}

/** What a value belongs to: a field, or a flow variable, which has no options. */
interface Typed {
  readonly type: FieldType | VariableType;
  readonly options?: readonly FieldOption[];
}

/** A value as people read it: options by their labels, members by their names, `Yes` and `No`. Null if it is empty. */
export function displayValue({ type, options = [] }: Typed, value: FieldValue, display: Display): string | null {
  if (!isFilled(value)) return null;
  const each = (one: FieldValue): string => {
    const text = String(one);
    switch (type) {
      case 'DROPDOWN':
      case 'MULTI_SELECT':
        return options.find(({ key }) => key === text)?.label ?? text;
      case 'USER':
      case 'FILE_UPLOAD':
      case 'SIGNATURE':
      case 'IMAGE':
      case 'DATA_SOURCE':
        return display.nameOf(text);
      case 'DATE':
        return display.date(text);
      case 'DATETIME':
        return display.dateTime(text);
      case 'CHECKBOX':
      case 'BOOLEAN':
        return one === true ? 'Yes' : 'No';
      default:
        return text;
    }
  };
  return (Array.isArray(value) ? value : [value]).map(each).join(', ');
}
