import type { ColumnType, FieldType, FieldValue, VariableType } from '@runward/contract';
import type { Formats } from '../environment.ts';
import type { Display } from '../explain/display-value.ts';
import type { FieldOption } from '../process.ts';
import type { ComparisonKind } from '../rules/operators.ts';

/** The owner of a value: a field, or a flow variable, which has no options. */
export interface Typed {
  readonly type: FieldType | VariableType;
  readonly options?: readonly FieldOption[];
}

/** What values are keys or ids of. */
export type Referent = 'option' | 'member' | 'row' | 'file';

/** Returns null if the value fits. Otherwise returns the end of a sentence that begins with the label of the field. */
export type Check = (value: FieldValue, options: readonly FieldOption[], formats: Formats) => string | null;

/** Everything that differs between the types of fields. */
export interface FieldTypeTraits {
  /** Checks a value. Null, which clears a field of any type, is not passed to it. */
  readonly check: Check;
  /** The form in which a value, or a list of values, is stored. What does not fit stays unfit. Default: as it is. */
  readonly stored?: (value: FieldValue, formats: Formats) => FieldValue;
  /** Checks the value that a condition compares with the field. Default: `check`. */
  readonly checkOperand?: Check;
  /** How conditions compare values. */
  readonly comparison: ComparisonKind;
  /** A value that fits. Types with options have null, because their first option fits. */
  readonly sample: FieldValue;
  /** Texts that contain the given part; not all of them have to fit. Default: the part itself. */
  readonly containing?: (part: string) => string[];
  readonly refersTo?: Referent;
  /** Whether a value can be a list. */
  readonly isList?: boolean;
  /** Whether any text fits. Such a field accepts every cell that is, or can be written as, a text. */
  readonly isFreeText?: boolean;
  /** The column types of data sources whose cells fit this field type. */
  readonly filledFrom?: readonly ColumnType[];
  /** The value as people read it. Absent for types whose values are references or plain text. */
  readonly show?: (value: FieldValue, display: Display) => string;
}
