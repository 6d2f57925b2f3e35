import pLimit from 'p-limit';
import { badRequest } from '../../../api-error.ts';
import { callsAtOnce, type ConsoleRequest } from '../console-page.ts';
import type { BulkAction, ChosenRun } from './bulk-actions.ts';
import { filtersOf, filterTexts } from './run-filters.ts';

/** The most runs that one form changes: one page of the API. */
export const maximumAtOnce = 200;

/** The runs that an action concerns. */
export interface Selection {
  /** Those that are changed now. */
  readonly runs: readonly ChosenRun[];
  /** All for which the action is possible; more than `runs` if there are too many for one form. */
  readonly total: number;
  /** How many were chosen for which it is not possible. */
  readonly others: number;
}

/**
 * Finds the runs that a form names: those whose boxes were ticked, or with `which=all` those that match its filters.
 * Throws a 400 if there are none.
 */
export async function chooseRuns(
  { api }: ConsoleRequest,
  fields: URLSearchParams,
  { statuses }: BulkAction,
): Promise<Selection> {
  if (fields.get('which') === 'all') {
    const texts = filterTexts(fields);
    const wanted = texts.statuses?.split(',');
    const possible = statuses.filter((status) => wanted?.includes(status) ?? true);
    if (possible.length === 0) return { runs: [], total: 0, others: (await api.runs.counts(filtersOf(texts))).total };
    const [page, all] = await Promise.all([
      api.runs.list({ ...filtersOf(texts), statuses: possible, limit: maximumAtOnce, total: 'bounded' }),
      api.runs.counts(filtersOf(texts)),
    ]);
    const total = possible.reduce((sum, status) => sum + all[status], 0);
    return { runs: page.data, total, others: all.total - total };
  }
  const ids = [...new Set(fields.getAll('run'))];
  if (ids.length === 0)
    throw badRequest('validation_failed', 'No run was chosen. Go back, and tick the boxes of some.');
  if (ids.length > maximumAtOnce) {
    throw badRequest('validation_failed', `At most ${maximumAtOnce} runs can be chosen. Go back, and choose fewer.`);
  }
  const chosen = await pLimit(callsAtOnce).map(ids, (id) => api.runs.get(id));
  const runs = chosen.filter(({ status }) => statuses.includes(status));
  return { runs, total: runs.length, others: chosen.length - runs.length };
}
