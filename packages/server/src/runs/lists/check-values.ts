import { formats, type ValueFilter } from '@runward/contract';
import { valueFilterProblems } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { outOfScope } from '../../access/resource-scope/out-of-scope.ts';
import { unavailable } from '../../api-error.ts';
import { findMarks, type Mark } from '../queries/search/find-marks.ts';
import { sourceOf } from '../queries/search/value-conditions.ts';

/** The problems of filters by value, and functions that throw a 403 or 503 for those that cannot be used now. */
interface CheckedValues {
  readonly problems: string[];
  readonly checks: (() => void)[];
}

/** Finds every problem of filters by value, with `path` before their properties. Throws a 403 for guests. */
export async function checkValues(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  filters: readonly ValueFilter[],
  path: string,
): Promise<CheckedValues> {
  // First, so that guests do not learn which variables there are, nor their values by filtering.
  if (actor.resourceScope.mode === 'ASSIGNED' && filters.length > 0)
    throw outOfScope(actor, 'allow filters by values of runs', 'use another key');
  const marks = Map.groupBy(await findMarks(em, actor.organizationId, filters.map(sourceOf)), ({ source }) => source);
  const problems: string[] = [];
  const checks: (() => void)[] = [];
  for (const [index, filter] of filters.entries()) {
    const marked = marks.get(sourceOf(filter)) ?? [];
    const at = `${path}values[${index}]`;
    const [{ type } = { type: null }] = marked;
    if (type === null) {
      const name = filter.fieldId === undefined ? 'variable' : 'fieldId';
      problems.push(
        `${at}.${name}: not searchable; mark it in its template and publish that, or use one of GET /runs/searchable-fields`,
      );
      continue;
    }
    // Flow variables of several templates can have the same key and different types.
    const types = [...new Set(marked.map((mark) => mark.type))];
    const ofTypes = types.map((each) => valueFilterProblems(each, filter, formats));
    if (!ofTypes.some((found) => found.length === 0))
      problems.push(...(ofTypes[0] ?? []).map((each) => `${at}.${each}`));
    if (filter.fieldId !== undefined) checks.push(...marked.map((mark) => () => ensureInScope(actor, mark.template)));
    checks.push(() => ensureReady(marked));
  }
  return { problems, checks };
}

function ensureReady(marks: readonly Mark[]): void {
  const indexing = marks.find(({ status }) => status === 'INDEXING');
  if (!indexing) return;
  throw unavailable(
    `The runs of the template are still being read for "${indexing.name}", which a publication has made searchable; retry in a moment.`,
    { retryAfter: 5 },
  );
}
