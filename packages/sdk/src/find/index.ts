// `@runward/sdk/find`: finds records by the names that people use. It is separate from the client, which does not need
// it.
export { choose, matching, type Naming } from './choose.ts';
export { fieldLabels } from './field-labels.ts';
export { FindError, isFindError } from './find-error.ts';
export { find, findColumn, findId } from './find.ts';
export { isId } from './ids.ts';
export type { Records } from './kinds.ts';
export { findRowId, searchRows } from './rows.ts';
export { findRunId } from './runs.ts';
export { similar } from './similar.ts';
export { findTask } from './tasks.ts';
export { findValueFilters } from './value-filters.ts';
