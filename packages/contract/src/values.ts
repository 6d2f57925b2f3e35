import { z } from 'zod';
import { normalizeTimestamp } from './timestamps.ts';

/** The id of a record: a UUID. Lower case after parsing. */
export const id = z.guid({ error: 'must be a UUID' }).toLowerCase();

/** The version of a record: visible ASCII characters except `"`. Equal versions mean equal representations. */
export const version = z
  .string()
  .regex(/^[\x21\x23-\x7e]{1,128}$/)
  .describe('Differs after every change. Equals the `ETag` without its quotes; see `If-Match`. Opaque.');

/** Years that every store and calendar in use can represent, even after a due date is added. */
const isWithinYears = (value: string) => value >= '1900' && value < '3000';
const outOfYears = 'must be between the years 1900 and 2999';

const timestampError = 'must be an ISO 8601 timestamp with a time zone, like 2026-03-01T09:00:00Z';

/**
 * A timestamp: RFC 3339, or another notation that `normalizeTimestamp` accepts. In UTC with milliseconds after parsing.
 */
export const timestamp = z
  .string({ error: timestampError })
  .meta({ format: 'date-time' })
  .transform((text, { issues }) => {
    const normalized = normalizeTimestamp(text);
    if (normalized !== null && isWithinYears(normalized)) return normalized;
    const message = normalized === null ? timestampError : `${outOfYears} in UTC`;
    issues.push({ code: 'custom', input: text, message });
    return z.NEVER;
  });

/** A calendar day without a time zone: `YYYY-MM-DD`. */
export const localDate = z.iso
  .date({ error: 'must be a date like 2026-03-01', abort: true })
  .refine(isWithinYears, outOfYears);

/** An ISO 8601 duration, like `P3D` or `PT12H`; at most 99 years, 999 months, 999 weeks and 9,999 days. */
export const duration = z
  .string()
  .regex(
    /^P(?=\d|T\d)(\d{1,2}Y)?(\d{1,3}M)?(\d{1,3}W)?(\d{1,4}D)?(T(?=\d)(\d{1,4}H)?(\d{1,5}M)?(\d{1,6}S)?)?$/,
    'must be an ISO 8601 duration like P3D or PT12H',
  );

/**
 * A name, title or label: 1 to 255 characters on one line, trimmed. Control characters would break lists, logs and file
 * names.
 */
export const title = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(255, 'must be at most 255 characters')
  .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), 'must not contain line breaks or control characters');

/** An email address of at most 320 characters, 64 of them before the `@`. Lower case after parsing. */
export const email = z
  .email({ error: 'must be an email address' })
  .max(320, 'must be at most 320 characters')
  .refine((address) => address.indexOf('@') <= 64, 'must have at most 64 characters before the @')
  .toLowerCase();

/** An absolute http or https URL of at most 2,048 characters. */
export const webUrl = z
  .string()
  .max(2048, 'must be at most 2048 characters')
  .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), 'must be an http or https URL');

/** A new password: 8 to 128 characters, in Unicode normal form C after parsing. */
export const newPassword = z
  .string()
  .min(8, 'must be at least 8 characters')
  .max(128, 'must be at most 128 characters')
  .normalize('NFC');

/** Free text of at most 2,000 characters, in any number of lines. */
export const description = z
  .string()
  .max(2000, 'must be at most 2000 characters')
  .refine((text) => !/[^\P{Cc}\t\n\r]/u.test(text), 'must not contain control characters except tabs and line breaks');

/** The value of a flow variable: a string of at most 10,000 characters, a number, a boolean or null. */
export const variableValue = z
  .union([z.string().max(10_000, 'must be at most 10000 characters'), z.number(), z.boolean(), z.null()])
  .meta({ id: 'VariableValue', description: 'The value of a flow variable.' });

/** The key of a flow variable, field or option: at most 64 letters, digits, `_` and `-`; the first is a letter. */
export const key = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    'must start with a letter and contain at most 64 letters, digits, "_" or "-"',
  );

/** The key of a phase, task or rule, as a response has it. */
export const partKey = key
  .nullable()
  .describe('Names the part in template files, and stays the same when it is renamed. null: derived from its name.');

/** The key of a phase, task or rule, as a client sends it. */
export const givenPartKey = key
  .nullable()
  .optional()
  .describe(
    'Names the part in template files; unique among the parts of its kind. null or left out: the key that it has, if any.',
  );

/** A position within a list of the template, counted from 0. A number past the end means the end. */
export const position = z
  .int({ error: 'must be a whole number, 0 or more' })
  .min(0, 'must be a whole number, 0 or more');

/** A whole number from `minimum` to `maximum`. */
export function integer(minimum: number, maximum: number) {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z.int({ error }).min(minimum, error).max(maximum, error);
}

/** A whole number in a query string, from `minimum` to `maximum`. */
export function wholeNumber(minimum: number, maximum: number) {
  return z.preprocess(
    (value: number | string) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
    integer(minimum, maximum),
  );
}

/** `true` or `false` in a query string. */
export const flag = z.preprocess(
  (value: boolean | 'true' | 'false') => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean({ error: 'must be true or false' }),
);

/** A list in a query string. Clients repeat the parameter or separate the items by commas. */
export function queryList<List extends z.ZodType>(list: List) {
  return z.preprocess((value: string | string[]) => [value].flat().flatMap((item) => item.split(',')), list);
}

/** A list of at most `maximum` distinct ids. */
export function idList(maximum: number) {
  return z
    .array(id)
    .max(maximum, `must contain at most ${maximum} ids`)
    .refine((ids) => new Set(ids).size === ids.length, 'must not contain an id twice');
}
