import { valuePath, type contract } from '@runward/contract';

/** One issue that a schema of the contract found. */
type Issue = NonNullable<ReturnType<typeof contract.templates.create.body.safeParse>['error']>['issues'][number];

/** The errors of a value that does not match a schema of the contract: the first issue at each path, starting with the path. */
export function describeIssues(issues: readonly Issue[]): string[] {
  const seen = new Set<string>();
  return issues.flatMap((issue) => {
    const path = valuePath(issue.path);
    if (seen.has(path)) return [];
    seen.add(path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${path === '' ? '' : `${path}.`}${key}: unknown parameter; remove it`);
    }
    return `${path === '' ? '' : `${path}: `}${describe(issue)}`;
  });
}

function describe(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined && issue.message.endsWith('undefined')
      ? 'is missing'
      : `must be of type ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options)
    return `must be one of ${issue.options.map(String).join(', ')}`;
  if (issue.code === 'invalid_union') return 'must be a string, a number, true, false or null';
  return issue.message;
}
