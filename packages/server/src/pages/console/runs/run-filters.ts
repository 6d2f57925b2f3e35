import type { RunsCountsQuery } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import { typedValues } from './value-filters.ts';

/**
 * The filters of `GET /runs` that the page of runs has fields for, by their names in the API, and that of values, which
 * views have.
 */
export const filterNames = [
  'search',
  'statuses',
  'templateIds',
  'folderIds',
  'ownerUserIds',
  'assigneeIds',
  'createdFrom',
  'createdTo',
  'scheduledFrom',
  'scheduledTo',
  'stalledForDays',
  'archived',
  'values',
] as const;

/** The name of a filter. */
export type FilterName = (typeof filterNames)[number];

/** Filters as texts: lists are separated by commas, and what is empty is left out. */
export type FilterTexts = Readonly<Partial<Record<FilterName, string>>>;

/** Reads filters from a query or a form. */
export function filterTexts(fields: URLSearchParams): FilterTexts {
  const texts = filterNames.map((name) => [name, fields.getAll(name).filter(Boolean).join(',')] as const);
  const typed = typedValues(fields);
  const all = { ...Object.fromEntries(texts), ...(typed !== null && { values: typed }) };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ''));
}

/** Filters as a call takes them. The endpoint rejects what does not fit. */
export function filtersOf(texts: FilterTexts): RunsCountsQuery {
  return texts as object;
}

/** Filters as hidden fields of a form. */
export function hiddenFilters(texts: FilterTexts): Child {
  return Object.entries(texts).map(([name, text]) => html`<input type="hidden" name="${name}" value="${text}" />`);
}

/** Filters of a saved view as texts. */
export function textsOf(filters: RunsCountsQuery): FilterTexts {
  return filterTexts(
    new URLSearchParams(Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)])),
  );
}
