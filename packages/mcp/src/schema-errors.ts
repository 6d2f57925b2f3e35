import { valuePath } from '@runward/contract';
import type { z } from 'zod';

/** The errors of arguments that do not fit their schema: the first issue at each path, starting with the path. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string[] {
  const byPath = Map.groupBy(issues, ({ path }) => valuePath(path));
  return [...byPath].flatMap(([path, [issue]]) => {
    if (!issue) return [];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${path === '' ? '' : `${path}.`}${key}: unknown argument; remove it`);
    }
    return `${path === '' ? 'arguments' : path}: ${describe(issue)}`;
  });
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_union') return 'must be a string, a number, true, false, a list of strings or null';
  return issue.message;
}
