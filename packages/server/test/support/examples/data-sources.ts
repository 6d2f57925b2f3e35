import { randomUUID } from 'node:crypto';
import { must } from '@runward/testing/process';
import { newDataSource, newRowId } from '../world/data-sources.ts';
import type { Ids, World } from '../world/world.ts';
import type { Examples } from './example.ts';

const about = { name: 'Suppliers EMEA', description: 'Approved suppliers with their addresses.' };

const status = {
  name: 'Status',
  type: 'STATUS' as const,
  config: {
    options: [
      { key: 'approved', label: 'Approved' },
      { key: 'on_hold', label: 'On hold' },
    ],
  },
};

const freshSource = async (world: World) => ({ dataSource: (await newDataSource(world)).dataSource });

async function freshColumn({ api, ids: { dataSource: id } }: World): Promise<string> {
  const body = { name: `Fax number ${randomUUID()}` };
  return (await must(api.call('dataSources.columns', 'create', { params: { id }, body }))).id;
}

async function freshRow(world: World): Promise<Partial<Ids>> {
  const row = await newRowId(world, world.ids.dataSource, { [world.ids.nameColumn]: 'Initech LLC' });
  return { row, relatedRow: row };
}

async function linkedRows({ api, ids: { dataSource: id, column: columnId, row, relatedRow } }: World) {
  const body = { columnId, fromRowId: row, toRowId: relatedRow };
  await must(api.call('dataSources.relations', 'link', { params: { id }, body }));
  return {};
}

const link = ({ column, row, relatedRow }: Ids) => ({ columnId: column, fromRowId: row, toRowId: relatedRow });

/** Calls of data sources, their columns and rows. */
export const dataSourceExamples = {
  dataSources: {
    create: [
      {
        body: ({ dataSource }) => ({
          ...about,
          columns: [
            { name: 'Parent company', type: 'RELATION', config: { dataSourceId: dataSource, multiple: false } },
            'Name',
          ],
        }),
      },
      {
        body: ({ dataSource }) => ({
          ...about,
          columns: [status, { name: 'Parent company', type: 'RELATION', config: { dataSourceId: dataSource } }],
        }),
      },
    ],
    update: [{ body: () => about }],
    delete: [{ before: freshSource }],
    lookup: [{ query: ({ lookupField }) => ({ templateFieldId: lookupField, search: 'acme', limit: 10 }) }],
  },
  'dataSources.columns': {
    create: [
      { before: freshSource, body: () => status },
      {
        before: freshSource,
        body: ({ dataSource }) => ({
          name: 'Subcontractors',
          type: 'RELATION',
          config: { dataSourceId: dataSource, multiple: true },
        }),
      },
    ],
    update: [
      {
        body: ({ dataSource }) => ({
          name: 'Parent companies',
          type: 'RELATION',
          config: { dataSourceId: dataSource, multiple: true },
        }),
      },
      {
        before: async (world) => ({ column: await freshColumn(world) }),
        body: () => ({ ...status, name: `Status ${randomUUID()}` }),
      },
    ],
    delete: [
      {
        before: async (world) => {
          const column = await freshColumn(world);
          return { column, nameColumn: column };
        },
      },
      { before: async (world) => ({ column: await freshColumn(world) }) },
    ],
    reorder: [
      {
        before: async (world) => {
          const { dataSource, column, nameColumn } = await newDataSource(world);
          return { dataSource, column, nameColumn };
        },
        body: ({ column, nameColumn }) => ({ columnIds: [column, nameColumn] }),
      },
    ],
  },
  'dataSources.rows': {
    list: [
      { query: () => ({ search: 'acme', activeOnly: 'true', limit: 10 }) },
      {
        query: ({ nameColumn }) => ({
          sort: `-${nameColumn}`,
          filters: JSON.stringify([{ columnId: nameColumn, operator: 'CONTAINS', value: 'GmbH' }]),
        }),
      },
    ],
    create: [{ body: ({ nameColumn }) => ({ cells: { [nameColumn]: 'Umbrella Ltd' }, active: true }) }],
    bulkCreate: [
      {
        body: ({ nameColumn }) => ({
          rows: [{ cells: { [nameColumn]: 'Hooli Inc' }, active: false }, { cells: { [nameColumn]: 'Globex AG' } }],
        }),
      },
    ],
    update: [{ body: ({ nameColumn }) => ({ cells: { [nameColumn]: 'Acme Holding GmbH' }, active: true }) }],
    bulkUpdate: [
      { body: ({ row, nameColumn }) => ({ rowIds: [row], cells: { [nameColumn]: 'Acme GmbH' }, active: true }) },
    ],
    delete: [{ before: freshRow }],
    bulkDelete: [{ before: freshRow, body: ({ row }) => ({ rowIds: [row] }) }],
  },
  'dataSources.relations': {
    link: [{ body: link }],
    unlink: [{ before: linkedRows, body: link }],
  },
} as const satisfies Examples;
