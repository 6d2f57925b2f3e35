import { z } from 'zod';
import { withInput } from './problems.ts';

/** What `parseBounded` returns: the parsed value, or what is wrong with it. */
export type BoundedResult<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly error: { readonly issues: z.core.$ZodIssue[] } };

const maximumIssues = 200;
const unchecked = 'not checked';
const prepared = new WeakSet<z.core.$ZodType>();
const counting = new WeakSet<z.core.$ZodType>();
/** The issues that may still be found. Parses are synchronous, so there is one at a time. */
let left = Infinity;

/**
 * Parses a value with a schema that has no asynchronous parts. Of a value with many issues, returns the first 200 and
 * one that says that there are more.
 *
 * Zod has no option to stop after some issues, and a list of a megabyte can have 500,000 of them, at 800 bytes each.
 * After 200, the remaining items of lists and records are rejected without a look into them, so no value becomes valid.
 */
export function parseBounded<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): BoundedResult<z.output<Schema>> {
  prepare(schema);
  left = maximumIssues;
  try {
    const result = schema.safeParse(value, withInput);
    if (result.success || left > 0) return result;
    const issues = result.error.issues.flatMap(checked).slice(0, maximumIssues);
    const message = 'has more problems than these; correct them, then send it again';
    return { success: false, error: { issues: [...issues, { code: 'custom', path: [], message, input: value }] } };
  } finally {
    left = Infinity;
  }
}

/** An issue without the items that were not looked into, also those in the alternatives of a union. */
function checked(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.message === unchecked) return [];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const errors = issue.errors.map((issues) => issues.flatMap(checked));
  return [{ ...issue, errors } as z.core.$ZodIssueInvalidUnion];
}

/** Makes the parts of which a value can have many, items of lists and records, count their issues. */
function prepare(schema: z.core.$ZodType): void {
  if (prepared.has(schema)) return;
  prepared.add(schema);
  for (const part of partsOf(schema)) prepare(part);
  if (schema instanceof z.core.$ZodArray) count(schema._zod.def.element);
  if (schema instanceof z.core.$ZodRecord) count(schema._zod.def.valueType);
}

/** The schemas that a schema consists of, whatever its kind: its items, properties, alternatives or what it wraps. */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const values: unknown[] = Object.values(schema._zod.def);
  const nested = values.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  return [...values, ...nested].filter((value) => value instanceof z.core.$ZodType);
}

function count(schema: z.core.$ZodType): void {
  if (counting.has(schema)) return;
  counting.add(schema);
  const { run } = schema._zod;
  schema._zod.run = (payload, context) => {
    if (left <= 0) {
      payload.issues.push({ code: 'custom', input: payload.value, message: unchecked });
      return payload;
    }
    const before = left;
    const result = run(payload, context);
    if (result instanceof Promise) return result;
    // Issues count where they are found, in the innermost item, and not if another alternative of a union fits.
    if (result.issues.length === 0) left = before;
    else if (left === before) for (const issue of result.issues) left -= weightOf(issue);
    return result;
  };
}

function weightOf(issue: z.core.$ZodRawIssue): number {
  return issue.code === 'unrecognized_keys' && Array.isArray(issue['keys']) ? issue['keys'].length : 1;
}
