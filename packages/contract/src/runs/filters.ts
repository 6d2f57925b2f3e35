import { z } from 'zod';
import { component } from '../component.ts';
import { flag, id, idList, integer, localDate, queryList, timestamp, title, wholeNumber } from '../values.ts';
import { runStatus, runStatuses } from './run.ts';
import { valueFilters, valueFiltersQuery, valueFiltersText } from './value-filters.ts';

/** The most ids that one filter can name. */
const maximumIds = 100;

const notEmpty = 'must not be empty; leave it out for all';
const statuses = z.array(runStatus).min(1, notEmpty).max(runStatuses.length, 'must not contain a status twice');
const ids = idList(maximumIds).min(1, notEmpty);
const maximumDays = 36_500;

const texts = {
  statuses: 'Only runs with one of these statuses. Default: all.',
  templateIds:
    `Only runs of these templates, at most ${maximumIds}. 400 if one does not exist, 403 if it is outside the resource scope of the API key. ` +
    'Default: all.',
  folderIds:
    `Only runs of templates in these folders, at most ${maximumIds}. 400 if one does not exist, 403 if it is outside the resource scope of the ` +
    'API key. Default: all.',
  ownerUserIds: `Only runs that one of these members owns, at most ${maximumIds}. 400 if one does not exist. Default: all.`,
  assigneeIds:
    `Only runs with a visible task that is assigned to one of these members directly, not through a group; at most ${maximumIds}. 400 if ` +
    'one does not exist. Default: all.',
  scheduledFrom: 'Only runs with this `scheduledDateLocal` or a later one. Default: all.',
  scheduledTo: 'Only runs with this `scheduledDateLocal` or an earlier one. Default: all.',
  createdFrom: "Only runs launched on this day or later, in the organization's time zone. Default: all.",
  createdTo: "Only runs launched on this day or earlier, in the organization's time zone. Default: all.",
  stalledForDays: 'Only RUNNING and OVERDUE runs without activity for at least this many days. Default: all.',
  search: 'Only runs whose title contains this text, ignoring case. Default: all.',
};

const dates = {
  scheduledFrom: localDate.optional().describe(texts.scheduledFrom),
  scheduledTo: localDate.optional().describe(texts.scheduledTo),
  createdFrom: localDate.optional().describe(texts.createdFrom),
  createdTo: localDate.optional().describe(texts.createdTo),
};

const search = title.optional().describe(texts.search);

/** The filter set of a saved view: filters of runs, combined with AND. Dates are inclusive. */
export const filterSet = component(
  'RunFilterSet',
  'Filters of runs, combined with AND; without any, all runs that are not archived.',
  {
    statuses: statuses.optional().describe(texts.statuses),
    templateIds: ids.optional().describe(texts.templateIds),
    folderIds: ids.optional().describe(texts.folderIds),
    ownerUserIds: ids.optional().describe(texts.ownerUserIds),
    assigneeIds: ids.optional().describe(texts.assigneeIds),
    ...dates,
    stalledForDays: integer(0, maximumDays).optional().describe(texts.stalledForDays),
    search,
    values: valueFilters.optional().describe(valueFiltersText),
    archived: z
      .boolean()
      .optional()
      .describe('true: only archived runs. Default: false, only runs that are not archived.'),
  },
);

/** A filter set, parsed. */
export type FilterSet = z.output<typeof filterSet>;

/** A filter set as the parameters of a query, which has conditions on values as JSON. */
export function filterQuery({ values, ...others }: FilterSet) {
  return { ...others, ...(values && { values: JSON.stringify(values) }) };
}

/** How a list in a query is written. */
const asList = (text: string) => `${text} Repeat it or separate the values by commas.`;

/** The filters of run lists: a filter set as query parameters, and some more. They are combined with AND. */
export const runFilters = {
  status: runStatus.optional().describe('Only runs with this status. Default: all.'),
  statuses: queryList(statuses).optional().describe(asList(texts.statuses)),
  templateIds: queryList(ids).optional().describe(asList(texts.templateIds)),
  folderIds: queryList(ids).optional().describe(asList(texts.folderIds)),
  ownerUserIds: queryList(ids).optional().describe(asList(texts.ownerUserIds)),
  assigneeIds: queryList(ids).optional().describe(asList(texts.assigneeIds)),
  scheduledDate: localDate.optional().describe('Only runs with this `scheduledDateLocal`. Default: all.'),
  ...dates,
  stalledForDays: wholeNumber(0, maximumDays).optional().describe(texts.stalledForDays),
  search,
  values: valueFiltersQuery,
  publicId: z
    .string()
    .toUpperCase()
    .regex(/^RUN-[0-9A-Z]{1,20}$/, 'must be a public id like RUN-7K3M9QXD')
    .optional()
    .describe('Only the run with this `publicId`, ignoring case. Default: all.'),
  archived: flag
    .default(false)
    .describe(
      'true: only archived runs. Default: false, only runs that are not archived; with `updatedAfter` or `publicId`, archived ones too.',
    ),
  updatedAfter: timestamp
    .optional()
    .describe(
      'Only runs whose `updatedAt` is later than this timestamp (RFC 3339). Lists are then ordered by `updatedAt`, unless `sort` is given. ' +
        'Default: all.',
    ),
};

/** The filters of lists over several templates. */
export const runFiltersOfAll = {
  ...runFilters,
  templateId: id
    .optional()
    .describe('Only runs of this template; 404 or 403 if the caller cannot use it. Default: all.'),
};

/** Sort orders of a run list: a property, with a leading `-` for descending order. */
export const runSorts = [
  '-createdAt',
  'createdAt',
  '-updatedAt',
  'updatedAt',
  '-scheduledDateLocal',
  'scheduledDateLocal',
  '-title',
  'title',
] as const;

/** The order of a list of runs. */
export type RunSort = (typeof runSorts)[number];

/** The order of a list of runs as a query parameter. */
export const runSort = {
  sort: z
    .enum(runSorts)
    .meta({ id: 'RunSort', description: 'The order of a list of runs.' })
    .optional()
    .describe(
      'The property to sort by, with `-` in front for the descending order. Default: `-createdAt`; with `updatedAfter`, `updatedAt`.',
    ),
};
