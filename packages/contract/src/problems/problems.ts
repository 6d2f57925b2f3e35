import type { z } from 'zod';
import { valuePath } from './value-path.ts';

/** Zod parse options that {@link problemsOf} needs to tell a missing value from a wrong one. */
export const withInput = { reportInput: true } as const;

/**
 * Returns one message per problem of a value that does not fit its schema. A message begins with the path of the wrong
 * value, or with `part` if the whole value is wrong. The value must have been parsed with the options `withInput`.
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
  if (issue.code === 'invalid_union') return describeUnion(issue, part);
  return [`${path || part}: ${wording(issue)}`];
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  const { code, input } = issue;
  // The input is the object whose `discriminator` property selects the member of the union.
  if (code === 'invalid_union' && 'discriminator' in issue)
    return (input as Readonly<Record<string, unknown>> | undefined)?.[issue.discriminator ?? ''] === undefined;
  return input === undefined && (code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union');
}

function wording(issue: z.core.$ZodIssue): string {
  // Keeps messages that the contract states, and replaces Zod's default messages.
  if (!/^Invalid (input|option)/.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
}

/**
 * A union reports the issues of every member. The useful ones are those of the member that fits best, or, if the type
 * of the value fits none, what all members expect.
 */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion, part: string): string[] {
  const at = valuePath(issue.path) || part;
  if ('options' in issue && issue.options) return [`${at}: must be one of ${issue.options.map(String).join(', ')}`];
  const [best] = issue.errors
    .filter((issues) => !issues.some(isOfOtherType))
    .toSorted((one, other) => one.length - other.length);
  if (best) return best.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, part));
  return [`${at}: must be ${[...new Set(expectedBy(issue))].join(' or ')}`];
}

function isOfOtherType(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return issue.errors.every((issues) => issues.some(isOfOtherType));
  return issue.code === 'invalid_type';
}

function expectedBy(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flatMap((issues) => issues.flatMap(expectedBy));
  return issue.code === 'invalid_type' ? [article(issue.expected)] : [];
}

function article(expected: string): string {
  if (expected === 'null') return 'null';
  if (expected === 'int') return 'a whole number';
  if (expected === 'record') return 'an object';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}
