import type { ColumnType, FieldType, FieldValue, VariableType } from '@runward/contract';
import type { Display } from '../explain/display-value.ts';
import type { Formats } from '../environment.ts';
import type { FieldOption } from '../process.ts';
import type { ComparisonKind } from '../rules/operators.ts';

/** What a value belongs to: a field, or a flow variable, which has no options. */
export interface Typed {
  readonly type: FieldType | VariableType;
  readonly options?: readonly FieldOption[];
}

/** What values are keys or ids of. */
export type Referent = 'option' | 'member' | 'row' | 'file';

/** Returns null if the value fits, otherwise the rest of a sentence that begins with the label of the field. */
export type Check = (value: FieldValue, options: readonly FieldOption[], formats: Formats) => string | null;

/** Everything that differs between the types of fields. */
export interface FieldTypeTraits {
  /** What a value must be. Null clears a field of any type, and is not checked. */
  readonly check: Check;
  /** What a value must be that a condition compares with the field. By default like a value. */
  readonly checkOperand?: Check;
  /** How conditions compare values. */
  readonly comparison: ComparisonKind;
  /** A value that fits, or for types with options null: the first option does. */
  readonly sample: FieldValue;
  /** Ways to write a text that contains a part, of which some may fit; by default the part itself. */
  readonly containing?: (part: string) => string[];
  readonly refersTo?: Referent;
  /** Whether a value can be a list. */
  readonly isList?: boolean;
  /** Whether every text fits, and so every cell of a data source that is one or can be written as one. */
  readonly isFreeText?: boolean;
  /** The types of columns of data sources whose cells can be values. */
  readonly filledFrom?: readonly ColumnType[];
  /** A value as people read it, unless it refers to something or is its own text. */
  readonly show?: (value: FieldValue, display: Display) => string;
}
