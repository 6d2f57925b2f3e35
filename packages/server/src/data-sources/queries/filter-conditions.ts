import { parseCell, type CellFilter, type CellValue, type ColumnType, type RuleOperator } from '@runward/contract';
import { caseFolded } from '@runward/engine';
import { sql, type RawBuilder } from 'kysely';
import { badRequest } from '../../api-error.ts';
import { comparisonSigns } from '../../database/comparison-signs.ts';
import { keyOf } from '../cell-keys.ts';
import type { DataSourceColumn } from '../entities/data-source-column.ts';
import { keyName } from '../entities/data-source-row.ts';
import { gramsOf, markOf } from '../search-text.ts';

/** A condition on a row (alias `item`). */
export interface RowCondition {
  /** In the form in which an index can find the rows. */
  readonly indexed: RawBuilder<boolean>;
  /** In a form to which no index applies, for rows that are read in another order. */
  readonly plain: RawBuilder<boolean>;
  /** The condition whose negation this condition is. */
  readonly opposite?: RowCondition;
  /**
   * The slot of the column whose sort keys decide the condition, so that the index of the column finds the rows without
   * reading them.
   */
  readonly slot?: number;
  /**
   * Whether all matching rows have the same sort key in this column, so that its index has them in the order of ids.
   */
  readonly isOneKey?: boolean;
  /** Whether it depends on links, which deleting rows of other data sources removes. */
  readonly isOnLinks?: boolean;
}

const text = ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS', 'IN', 'NOT_IN'] as const;
const date = ['EQUALS', 'BEFORE', 'AFTER'] as const;

const operators: Readonly<Record<ColumnType, readonly RuleOperator[]>> = {
  TEXT: text,
  STATUS: text,
  NUMBER: ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN', 'LESS_THAN', 'GREATER_OR_EQUAL', 'LESS_OR_EQUAL', 'IN'],
  DATE: date,
  DATETIME: date,
  BOOLEAN: ['EQUALS'],
  RELATION: [],
};

const presence: readonly RuleOperator[] = ['IS_EMPTY', 'IS_NOT_EMPTY'];

const opposites = { NOT_EQUALS: 'EQUALS', NOT_CONTAINS: 'CONTAINS', NOT_IN: 'IN', IS_EMPTY: 'IS_NOT_EMPTY' } as const;

/** The data source whose rows are filtered. */
export interface FilteredSource {
  readonly organizationId: string;
  readonly dataSourceId: string;
  readonly columns: readonly DataSourceColumn[];
}

/** The conditions of filters. Throws a 400 with the path of every problem, like `filters[0].value`. */
export function conditionsOf(source: FilteredSource, filters: readonly CellFilter[]): RowCondition[] {
  const problems: string[] = [];
  const conditions = filters.flatMap((filter, index) => {
    const path = `filters[${index}]`;
    const column = source.columns.find(({ id }) => id === filter.columnId);
    const problem = column
      ? problemOf(column, filter)
      : 'columnId: no column of this data source; see GET /data-sources/:id';
    if (problem !== null) problems.push(`${path}.${problem}`);
    return column && problem === null ? [conditionOf(source, column, filter.operator, filter.value)] : [];
  });
  if (problems.length > 0) throw badRequest(problems);
  return conditions;
}

function problemOf(column: DataSourceColumn, { operator, value }: CellFilter): string | null {
  if (presence.includes(operator)) return value === undefined ? null : `value: ${operator} takes no value; remove it`;
  const allowed = operators[column.type];
  if (!allowed.includes(operator)) {
    return `operator: must be one of ${[...allowed, ...presence].join(', ')} for a ${column.type} column`;
  }
  if (value === undefined) return `value: is required for ${operator}`;
  const takesList = operator === 'IN' || operator === 'NOT_IN';
  if (Array.isArray(value) !== takesList) {
    return takesList ? `value: must be a list for ${operator}` : `value: must not be a list for ${operator}`;
  }
  const values: readonly CellValue[] = Array.isArray(value) ? value : [value];
  if (operator.endsWith('CONTAINS')) {
    return typeof value === 'string' && value !== '' ? null : 'value: must be a text that is not empty';
  }
  for (const [index, one] of values.entries()) {
    const parsed = parseCell(column, one);
    const problem = 'problem' in parsed ? parsed.problem : one === '' ? 'must not be empty; use IS_EMPTY' : null;
    if (problem !== null) return `value${takesList ? `[${index}]` : ''}: ${problem}`;
  }
  return null;
}

function conditionOf(
  source: FilteredSource,
  column: DataSourceColumn,
  operator: RuleOperator,
  value: CellFilter['value'],
): RowCondition {
  switch (operator) {
    case 'NOT_EQUALS':
    case 'NOT_CONTAINS':
    case 'NOT_IN':
    case 'IS_EMPTY':
      return not(conditionOf(source, column, opposites[operator], value));
    case 'IS_NOT_EMPTY':
      return column.type === 'RELATION' ? isLinked(source, column) : onKey(column, (key) => sql`${key} is not null`);
    case 'CONTAINS':
      return contains(source, column, String(value));
    case 'IN':
      return isOneOf(column, Array.isArray(value) ? value.map((one) => keyIn(column, one)) : []);
    default: {
      const comparison = comparisonSigns[operator];
      const other = keyIn(column, value as CellValue);
      return { ...onKey(column, (key) => sql`${key} ${sql.raw(comparison)} ${other}`), isOneKey: comparison === '=' };
    }
  }
}

/** The condition that a search finds a row: one of its cells contains the text. */
export function matches(dataSourceId: string, search: string): RowCondition {
  const plain = sql<boolean>`strpos(${textFor(search)}, ${caseFolded(search)}) > 0`;
  return { plain, indexed: withGrams(dataSourceId, search, plain) };
}

/** The condition that the cell of a column, as text, contains the text. */
export function contains(source: FilteredSource, column: DataSourceColumn, wanted: string): RowCondition {
  if (column.type === 'STATUS') {
    const { options = [] } = column.settings;
    const fitting = options.filter(({ label }) => caseFolded(label).includes(caseFolded(wanted)));
    return isOneOf(
      column,
      fitting.map(({ key }) => key),
    );
  }
  const text = textFor(wanted);
  // Matches from the mark of the column's cell up to the next mark.
  const pattern = `${markOf(column.slot)}[^\u0002]*${caseFolded(wanted).replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)}`;
  const plain = sql<boolean>`(strpos(${text}, ${caseFolded(wanted)}) > 0 and ${text} ~ ${pattern})`;
  return { plain, indexed: withGrams(source.dataSourceId, wanted, plain) };
}

/**
 * The text of a row that is searched for this text, folded in the same way. Stored texts are in lower case, with both
 * forms of the sigma.
 */
function textFor(wanted: string): RawBuilder<string> {
  return caseFolded(wanted).includes('σ')
    ? sql<string>`translate(item.search_text, 'ς', 'σ')`
    : sql<string>`item.search_text`;
}

function withGrams(dataSourceId: string, wanted: string, plain: RawBuilder<boolean>): RawBuilder<boolean> {
  const grams = gramsOf(dataSourceId, wanted);
  return grams.length === 0 ? plain : sql<boolean>`(item.grams @> ${grams}::int[] and ${plain})`;
}

function isOneOf(column: DataSourceColumn, keys: readonly string[]): RowCondition {
  return onKey(column, (key) => sql`${key} = any(${keys}::text[])`);
}

function isLinked({ organizationId }: FilteredSource, { id }: DataSourceColumn): RowCondition {
  const condition = sql<boolean>`exists (
    select from data_source_links link
    where link.organization_id = ${organizationId} and link.from_row_id = item.id and link.column_id = ${id})`;
  return { indexed: condition, plain: condition, isOnLinks: true };
}

/**
 * A condition on the sort key of a column. The index contains only keys that are not null, so the condition must state
 * that for PostgreSQL.
 */
function onKey({ slot }: DataSourceColumn, condition: (key: RawBuilder<unknown>) => RawBuilder<unknown>): RowCondition {
  const key = sql.ref(`item.${keyName(slot)}`);
  return {
    slot,
    indexed: sql<boolean>`(${condition(key)} and ${key} is not null)`,
    plain: sql<boolean>`coalesce(${condition(sql`(${key} || '')`)}, false)`,
  };
}

function not(opposite: RowCondition): RowCondition {
  const plain = sql<boolean>`not ${opposite.plain}`;
  return { indexed: plain, plain, opposite, ...(opposite.isOnLinks && { isOnLinks: true }) };
}

function keyIn({ type }: DataSourceColumn, value: CellValue): string {
  const column = { type, settings: {} };
  // Converts timestamps to one notation. The other types stay as they were sent.
  const parsed = type === 'STATUS' ? { value } : parseCell(column, value);
  return keyOf(type, 'value' in parsed ? parsed.value : value) ?? '';
}
