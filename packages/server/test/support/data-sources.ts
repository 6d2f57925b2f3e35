import type { BodyInput, CellValue, Contract, QueryInput } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { must } from '@runward/testing/process';

type NewColumn = BodyInput<Contract['dataSources']['create']>['columns'][number];
type NewRow = BodyInput<Contract['dataSources.rows']['create']>;

/** A data source, with cells by the names of their columns. */
export interface SourceUnderTest {
  readonly id: string;
  /** The id of a column. */
  column(name: string): string;
  /** Cells by column id. */
  cells(byName: Readonly<Record<string, CellValue>>): Record<string, CellValue>;
  /** Creates rows in one request; returns their ids. */
  addRows(...rows: Readonly<Record<string, CellValue>>[]): Promise<string[]>;
  /** The ids on a page of its rows. */
  list(query?: QueryInput<Contract['dataSources.rows']['list']>): Promise<string[]>;
  rowCount(): Promise<number>;
}

/** Creates a data source. */
export async function newSource(api: Api, columns: readonly NewColumn[], name = 'Suppliers'): Promise<SourceUnderTest> {
  const source = await must(api.call('dataSources', 'create', { body: { name, columns: [...columns] } }));
  const { id } = source;
  const ids = new Map(source.columns.map((column) => [column.name, column.id]));
  const column = (of: string) => ids.get(of) ?? of;
  const cells = (byName: Readonly<Record<string, CellValue>>) =>
    Object.fromEntries(Object.entries(byName).map(([of, value]) => [column(of), value]));
  return {
    id,
    column,
    cells,
    addRows: async (...rows) => {
      const body = { rows: rows.map((row): NewRow => ({ cells: cells(row) })) };
      return (await must(api.call('dataSources.rows', 'bulkCreate', { params: { id }, body }))).rowIds;
    },
    list: async (query = {}) =>
      (await must(api.call('dataSources.rows', 'list', { params: { id }, query }))).data.map((row) => row.id),
    rowCount: async () => (await must(api.call('dataSources', 'get', { params: { id } }))).rowCount,
  };
}

/** A STATUS column with options of these labels; the keys are their first letters. */
export function statusColumn(name: string, ...labels: string[]) {
  const options = labels.map((label) => ({ key: label.slice(0, 1).toLowerCase(), label }));
  return { name, type: 'STATUS' as const, config: { options } };
}

/** A column of each type that lists of rows can be filtered by. */
export const filteredColumns = [
  'Text',
  { name: 'Number', type: 'NUMBER' as const },
  { name: 'Flag', type: 'BOOLEAN' as const },
  { name: 'Day', type: 'DATE' as const },
  statusColumn('Status', 'Approved', 'On hold', 'Rejected'),
];
