import { must } from '@runward/testing/process';
import type { Builder, Ids } from './world.ts';

/** Makes a data source of suppliers with two rows. */
export async function newDataSource(
  world: Builder,
): Promise<Pick<Ids, 'dataSource' | 'column' | 'nameColumn' | 'row' | 'relatedRow'>> {
  const { api } = world;
  const { id, columns } = await must(
    api.call('dataSources', 'create', { body: { name: 'Suppliers', columns: ['Name'] } }),
  );
  const relation = {
    name: 'Parent company',
    type: 'RELATION' as const,
    config: { dataSourceId: id, multiple: true },
  };
  const column = await must(api.call('dataSources.columns', 'create', { params: { id }, body: relation }));
  const nameColumn = columns[0]?.id ?? '';
  const row = await newRowId(world, id, { [nameColumn]: 'Acme GmbH' });
  const relatedRow = await newRowId(world, id, { [nameColumn]: 'Acme Holding GmbH' });
  return { dataSource: id, column: column.id, nameColumn, row, relatedRow };
}

/** Makes a row of a data source. */
export async function newRowId({ api }: Builder, id: string, cells: Readonly<Record<string, string>>): Promise<string> {
  return (await must(api.call('dataSources.rows', 'create', { params: { id }, body: { cells } }))).id;
}

/** The look-up of a field that offers the rows of a data source by name. */
export function lookupOf({ dataSource, nameColumn }: Pick<Ids, 'dataSource' | 'nameColumn'>) {
  return { dataSourceId: dataSource, labelColumnId: nameColumn, autoFill: [] };
}
