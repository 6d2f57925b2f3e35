import { valuePath } from '@runward/contract';
import type { z } from 'zod';
import { badRequest } from '../api-error.ts';

const maximumDepth = 32;
const maximumKeys = 1000;
const maximumItems = 5000;

/** Options of Zod with which `problemsOf` can tell a missing value from a wrong one. */
export const withInput = { reportInput: true } as const;

/** Parses a part of a request with its schema. Throws a 400 with one message per problem. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const rejected = screen(value, '', 0);
  if (rejected) throw badRequest([`${rejected.path || part}: ${rejected.problem}`]);
  const result = schema.safeParse(value, withInput);
  if (!result.success) throw badRequest(problemsOf(result.error, part));
  return result.data;
}

/**
 * One message per problem, each beginning with the path of the value, or with `part` if the whole part is invalid. The error is of a parse
 * with the options `withInput`.
 */
export function problemsOf(error: z.core.$ZodError, part: string): string[] {
  return error.issues.flatMap((issue) => describe(issue, part));
}

/** Finds problems that schemas do not check: text that PostgreSQL cannot store, and structures that are expensive to process. */
function screen(value: unknown, path: string, depth: number): { path: string; problem: string } | null {
  if (typeof value === 'string') return screenText(value, path);
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= maximumDepth) return { path, problem: `must not nest deeper than ${maximumDepth} levels` };

  if (Array.isArray(value)) {
    if (value.length > maximumItems) return { path, problem: `must hold at most ${maximumItems} items` };
    return firstOf(value.entries(), ([index, item]) => screen(item, `${path}[${index}]`, depth + 1));
  }
  const entries = Object.entries(value);
  if (entries.length > maximumKeys) return { path, problem: `must have at most ${maximumKeys} keys` };
  return firstOf(entries, ([key, item]) => {
    const here = path ? `${path}.${key}` : key;
    if (screenText(key, here)) return { path, problem: 'must not have keys with NUL or broken Unicode characters' };
    return screen(item, here, depth + 1);
  });
}

/** Finds characters in a text that PostgreSQL cannot store. */
export function screenText(text: string, path: string): { path: string; problem: string } | null {
  if (text.includes('\0')) return { path, problem: 'must not contain the NUL character' };
  return text.isWellFormed() ? null : { path, problem: 'must be well-formed Unicode, without lone surrogates' };
}

function firstOf<Item, Found>(items: Iterable<Item>, look: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = look(item);
    if (found) return found;
  }
  return null;
}

function describe(issue: z.core.$ZodIssue, part: string): string[] {
  const path = valuePath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${path ? `${path}.` : ''}${key}: unknown parameter; remove it`);
  }
  if (isMissing(issue)) return [`${path || part}: is required`];
  if (issue.code === 'invalid_union') return [`${path || part}: ${wordingOfUnion(issue)}`];
  return [`${path || part}: ${wording(issue)}`];
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  const { code, input } = issue;
  // The input is what contains the property that tells the members of the union apart.
  if (code === 'invalid_union' && 'discriminator' in issue)
    return (input as Readonly<Record<string, unknown>> | undefined)?.[issue.discriminator ?? ''] === undefined;
  return input === undefined && (code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union');
}

function wording(issue: z.core.$ZodIssue): string {
  // The contract states its own message, unless Zod's default is in its place.
  if (!/^Invalid (input|option)/.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
}

/** A union reports one issue per member; the useful message lists what the members expect. */
function wordingOfUnion(issue: z.core.$ZodIssueInvalidUnion): string {
  if ('options' in issue && issue.options) return `must be one of ${issue.options.map(String).join(', ')}`;
  const inner = issue.errors.flatMap((issues) => issues.slice(0, 1));
  const other = inner.find((one) => one.code !== 'invalid_type');
  if (other) return wording(other);
  const expected = inner.map((one) => (one.code === 'invalid_type' ? article(one.expected) : ''));
  return `must be ${[...new Set(expected)].join(' or ')}`;
}

function article(expected: string): string {
  if (expected === 'null') return 'null';
  if (expected === 'int') return 'a whole number';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
