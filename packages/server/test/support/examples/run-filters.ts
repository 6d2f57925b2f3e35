import { scheduledDate, type Ids } from '../world/world.ts';

/** Filters of a query that name no record. */
export const filters = {
  status: 'RUNNING',
  scheduledDate,
  stalledForDays: 0,
  archived: false,
  updatedAfter: '2020-01-01T00:00:00Z',
} as const;

const filterSet = {
  statuses: ['RUNNING', 'OVERDUE'],
  scheduledFrom: '2026-01-01',
  scheduledTo: '2026-12-31',
  createdFrom: '2020-01-01',
  createdTo: '2999-12-31',
  search: 'onboarding',
} as const;

const filtersOf = ({ template, folder, owner }: Ids) => ({
  ...filterSet,
  statuses: [...filterSet.statuses],
  templateIds: [template],
  folderIds: [folder],
  ownerUserIds: [owner],
});

/** A condition on a flow variable. */
export const values = [{ variable: 'surname', operator: 'IS_EMPTY' as const }];

/** A filter set with ids in every place. */
export const savedFilters = (ids: Ids) => ({
  ...filtersOf(ids),
  values: [{ fieldId: ids.field, operator: 'EQUALS' as const, value: 'DE811907980' }],
  stalledForDays: 0,
  archived: false,
});

const filtersOfMember = ({ member }: Ids) => ({ assigneeIds: [member] });

/** Filters that do not go with the others. */
export const savedFiltersOfMember = (ids: Ids) => ({ ...filtersOfMember(ids), values });

/** Queries with every filter of lists. */
export const listFilters = [
  { query: filtersOf },
  { query: filtersOfMember },
  { query: () => ({ values: JSON.stringify(values) }) },
  { query: () => ({ publicId: 'RUN-7K3M9QXD' }) },
] as const;
