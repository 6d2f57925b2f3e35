import type { z } from 'zod';
import { valuePath } from './value-path.ts';

/** Options of Zod with which `problemsOf` can tell a missing value from a wrong one. */
export const withInput = { reportInput: true } as const;

/**
 * One message per problem of a value that does not fit its schema, each beginning with the path of the value, or with `part` if the whole
 * value is invalid. The error is of a parse with the options `withInput`.
 */
export function problemsOf(error: Pick<z.core.$ZodError, 'issues'>, part: string): string[] {
  return error.issues.flatMap((issue) => describe(issue, part));
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
