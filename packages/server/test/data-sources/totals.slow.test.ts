import type { CellValue } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newSource, statusColumn } from '../support/data-sources.ts';

const app = useSharedApp(test);

test('totals are exact if several columns are filtered that have many, few or no matches', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['City', { name: 'Flag', type: 'BOOLEAN' }, { name: 'Number', type: 'NUMBER' }]);
  const { id } = source;
  const rows = Array.from({ length: 12_000 }, (_, index) => ({
    City: index % 100 === 0 ? 'Oulu' : 'Berlin',
    Flag: index % 4 !== 0,
    Number: index,
  }));
  for (let from = 0; from < rows.length; from += 4_000) {
    // Rows of the second request are inactive.
    const batch = rows
      .slice(from, from + 4_000)
      .map((cells) => ({ cells: source.cells(cells), active: from !== 4_000 }));
    await must(api.call('dataSources.rows', 'bulkCreate', { params: { id }, body: { rows: batch } }));
  }
  type Filter = readonly [column: 'City' | 'Flag' | 'Number', operator: string, value: CellValue];
  const cases: readonly (readonly [filters: readonly Filter[], fits: (row: (typeof rows)[number]) => boolean])[] = [
    [
      [
        ['City', 'EQUALS', 'berlin'],
        ['Flag', 'EQUALS', true],
      ],
      ({ City, Flag }) => City === 'Berlin' && Flag,
    ],
    [
      [
        ['City', 'EQUALS', 'Oulu'],
        ['Flag', 'EQUALS', false],
      ],
      ({ City, Flag }) => City === 'Oulu' && !Flag,
    ],
    [
      [
        ['Flag', 'EQUALS', false],
        ['City', 'NOT_EQUALS', 'Oulu'],
      ],
      ({ City, Flag }) => City === 'Berlin' && !Flag,
    ],
    [
      [
        ['City', 'EQUALS', 'Berlin'],
        ['Number', 'LESS_THAN', 9_000],
      ],
      ({ City, Number }) => City === 'Berlin' && Number < 9_000,
    ],
    [
      [
        ['Number', 'GREATER_THAN', 10],
        ['Number', 'LESS_THAN', 9_000],
      ],
      ({ Number }) => Number > 10 && Number < 9_000,
    ],
    [
      [
        ['City', 'EQUALS', 'Paris'],
        ['Flag', 'EQUALS', true],
      ],
      () => false,
    ],
    [
      [
        ['City', 'CONTAINS', 'ERL'],
        ['Flag', 'EQUALS', true],
      ],
      ({ City, Flag }) => City === 'Berlin' && Flag,
    ],
  ];
  for (const [filters, fits] of cases) {
    const columns = filters.map(([column, operator, value]) => ({ columnId: source.column(column), operator, value }));
    for (const activeOnly of ['true', 'false'] as const) {
      const query = { filters: JSON.stringify(columns), activeOnly, limit: 1 } as const;
      const { total } = await must(api.call('dataSources.rows', 'list', { params: { id }, query }));
      const expected = rows.filter(
        (row, index) => fits(row) && (activeOnly === 'false' || index < 4_000 || index >= 8_000),
      );
      t.is(total, expected.length, JSON.stringify(query));
    }
  }
});

test('the total of later pages is exact, also after rows, columns or links have changed', async (t) => {
  const { api } = await newOrganization(app);
  const countries = await newSource(api, ['Name'], 'Countries');
  const [country = ''] = await countries.addRows({ Name: 'Norway' });
  const seat = { name: 'Seat', type: 'RELATION' as const, config: { dataSourceId: countries.id } };
  const source = await newSource(api, ['Name', seat]);
  const { id } = source;
  const ids = await source.addRows(...['a', 'ab', 'abc', 'abcd'].map((Name) => ({ Name })));
  const first = ids[0] ?? '';
  const page = (query: Record<string, string>) =>
    must(api.call('dataSources.rows', 'list', { params: { id }, query: { limit: 1, ...query } }));
  const totals = async (query: Record<string, string>, change: () => Promise<unknown>) => {
    const { total, nextCursor } = await page(query);
    const second = await page({ ...query, cursor: nextCursor ?? '' });
    await change();
    const third = await page({ ...query, cursor: second.nextCursor ?? '' });
    return [total, second.total, third.total];
  };
  const update = (Name: string) =>
    must(
      api.call('dataSources.rows', 'update', { params: { id, rowId: first }, body: { cells: source.cells({ Name }) } }),
    );
  const byName = { sort: source.column('Name') };
  t.deepEqual(await totals({ search: 'a' }, () => update('b')), [4, 4, 3]);
  t.deepEqual(await totals({ search: 'b', ...byName }, () => source.addRows({ Name: 'xb' })), [4, 4, 5]);

  const columnId = source.column('Seat');
  const link = { columnId, fromRowId: first, toRowId: country };
  await must(api.call('dataSources.relations', 'link', { params: { id }, body: link }));
  const unlinked = JSON.stringify([{ columnId, operator: 'IS_EMPTY' }]);
  const remove = () => api.call('dataSources.rows', 'delete', { params: { id: countries.id, rowId: country } });
  t.deepEqual(await totals({ filters: unlinked }, remove), [4, 4, 5]);
});

test('the total of a repeated first page is exact after every kind of change, and after one that failed', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Name', statusColumn('Status', 'Open', 'Closed')]);
  const { id } = source;
  const [first = '', second = ''] = await source.addRows(
    { Name: 'a', Status: 'o' },
    { Name: 'ab', Status: 'o' },
    { Name: 'abc', Status: 'c' },
  );
  const status = source.column('Status');
  const isOpen = JSON.stringify([{ columnId: status, operator: 'EQUALS', value: 'o' }]);
  const isNotOpen = JSON.stringify([{ columnId: status, operator: 'NOT_EQUALS', value: 'o' }]);
  const queries = [
    { search: 'ab' },
    { search: 'open' },
    { filters: isOpen },
    { filters: isOpen, activeOnly: 'true' },
    { filters: isNotOpen },
    { filters: isOpen, search: 'b' },
  ] as const;
  const totals = async () => {
    const found: number[] = [];
    for (const query of queries) {
      const { total } = await must(api.call('dataSources.rows', 'list', { params: { id }, query }));
      found.push(total);
    }
    return found;
  };
  const column = { params: { id, columnId: status } };
  const { config } = statusColumn('Status', 'Opened', 'Closed');
  const bad = { rows: [{ cells: source.cells({ Name: 'abd' }) }, { cells: source.cells({ Status: 'x' }) }] };
  const changes: readonly (readonly [change: () => Promise<unknown>, expected: number[]])[] = [
    [async () => {}, [2, 2, 2, 2, 1, 1]],
    [() => source.addRows({ Name: 'abcd', Status: 'o' }), [3, 3, 3, 3, 1, 2]],
    [() => api.call('dataSources.rows', 'bulkCreate', { params: { id }, body: bad }), [3, 3, 3, 3, 1, 2]],
    [
      () => api.call('dataSources.rows', 'update', { params: { id, rowId: first }, body: { active: false } }),
      [3, 3, 3, 2, 1, 2],
    ],
    [
      () =>
        api.call('dataSources.rows', 'bulkUpdate', {
          params: { id },
          body: { rowIds: [first, second], cells: source.cells({ Status: 'c' }) },
        }),
      [3, 1, 1, 1, 3, 1],
    ],
    [() => api.call('dataSources.columns', 'update', { ...column, body: { config } }), [3, 1, 1, 1, 3, 1]],
    [() => api.call('dataSources.rows', 'delete', { params: { id, rowId: second } }), [2, 1, 1, 1, 2, 1]],
    [
      () => api.call('dataSources.columns', 'update', { ...column, body: statusColumn('Status', 'Over', 'Closed') }),
      [2, 0, 1, 1, 2, 1],
    ],
  ];
  for (const [index, [change, expected]] of changes.entries()) {
    await change();
    t.deepEqual(await totals(), expected, `after change ${index}`);
    t.deepEqual(await totals(), expected, `after change ${index}, again`);
  }
});
