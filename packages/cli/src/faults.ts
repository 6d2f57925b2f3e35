import type { contract } from '@runward/contract';

/** One thing a schema of the contract found wrong. */
type Issue = NonNullable<ReturnType<typeof contract.templates.create.body.safeParse>['error']>['issues'][number];

/** What a schema of the contract found wrong: the first problem of each value, one line each, beginning with its path. */
export function faultsOf(issues: readonly Issue[]): string[] {
  const seen = new Set<string>();
  return issues.flatMap((issue) => {
    const path = pathOf(issue.path);
    if (seen.has(path)) return [];
    seen.add(path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${path === '' ? '' : `${path}.`}${key}: unknown parameter; remove it`);
    }
    return `${path === '' ? '' : `${path}: `}${wording(issue)}`;
  });
}

function wording(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined && issue.message.endsWith('undefined')
      ? 'is missing'
      : `must be of type ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_union') return 'must be a string, a number, true, false or null';
  return issue.message;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}
