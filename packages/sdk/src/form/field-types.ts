import type { Client } from '../client-type.ts';
import { matching } from '../find/choose.ts';
import { findId } from '../find/find.ts';
import { findRowId } from '../find/rows.ts';
import type { Field, FieldOption, FieldType, FieldValue, VariableType } from '../generated/runs.ts';
import { exactNumber } from './exact-number.ts';

/** The owner of a value: a field, or a flow variable, which has no options. */
export interface Typed {
  readonly type: FieldType | VariableType;
  readonly options?: readonly FieldOption[];
}

/** How people state the values of a type. */
interface FieldTypeTexts {
  /** What a field takes, as messages say it, like `a number`. */
  readonly takes: string;
  /** A text that fits. */
  readonly example?: string;
  /** Whether a value is a text with the space around it. */
  readonly isFreeText?: boolean;
  /** Parses the value from a text. Default: the text itself. A text that cannot be parsed is returned unchanged. */
  readonly parse?: (text: string, options: readonly FieldOption[]) => FieldValue;
  /** The id of the record that a text names. */
  readonly find?: (client: Client, field: Field, text: string) => Promise<string>;
}

const freeText: FieldTypeTexts = { takes: 'a text', isFreeText: true };

const words = new Map([
  ['true', true],
  ['yes', true],
  ['y', true],
  ['false', false],
  ['no', false],
  ['n', false],
]);

const yesOrNo: FieldTypeTexts = { takes: 'true or false', parse: (text) => words.get(text.toLowerCase()) ?? text };

const image: FieldTypeTexts = { takes: 'the id of an image that was uploaded to it' };

/** All types of fields and of flow variables. Both have the same kinds of values. */
export const fieldTypes: Readonly<Record<Typed['type'], FieldTypeTexts>> = {
  TEXT: freeText,
  LONG_TEXT: freeText,
  NUMBER: {
    takes: 'a number',
    example: '12.5',
    parse: (text) => exactNumber(text) ?? text,
  },
  EMAIL: { takes: 'an email address', example: 'ada@example.com' },
  URL: { takes: 'an http or https URL', example: 'https://example.com' },
  PHONE: { takes: 'a phone number', example: '+49 30 1234567' },
  CHECKBOX: yesOrNo,
  BOOLEAN: yesOrNo,
  DATE: { takes: 'a date like 2026-03-01', example: '2026-03-01' },
  DATETIME: {
    takes: 'a timestamp with a time zone, like 2026-03-01T09:00:00Z',
    example: '2026-03-01T09:00:00Z',
  },
  DROPDOWN: { takes: 'one of the options', parse: (text, options) => optionKey(options, text) ?? text },
  MULTI_SELECT: { takes: 'a list of options', parse: optionKeys },
  USER: {
    takes: 'the email address, name or id of a member',
    find: (client, _, text) => findId(client, 'member', text),
  },
  FILE_UPLOAD: {
    takes: 'ids of files that were uploaded to it',
    parse: (text) => (text.includes(',') ? listed(text) : text),
  },
  SIGNATURE: image,
  IMAGE: image,
  DATA_SOURCE: { takes: 'the label or id of a row of its data source', find: findRowId },
};

/**
 * Describes the values that a field or flow variable accepts, like `a date like 2026-03-01`, with an example if that
 * helps.
 */
export function takenBy({ type }: Pick<Typed, 'type'>): Pick<FieldTypeTexts, 'takes' | 'example'> {
  return fieldTypes[type];
}

/** The key of an option, given its key or label. Undefined if no option fits, or several do. */
export function optionKey(options: readonly FieldOption[], text: string): string | undefined {
  const [found, other] = matching(options, text, ({ key, label }) => [key, label]);
  return options.find(({ key }) => key === text.trim())?.key ?? (other ? undefined : found?.key);
}

/** A label may contain a comma, so that a text can be one option. */
function optionKeys(text: string, options: readonly FieldOption[]): string[] {
  const one = optionKey(options, text);
  return one === undefined ? listed(text).map((part) => optionKey(options, part) ?? part) : [one];
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
