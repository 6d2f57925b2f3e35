import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { filteredColumns, newSource } from '../support/data-sources.ts';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

test('a filter or an order that does not fit its column is rejected with its path', async (t) => {
  const { api } = await newOrganization(app);
  const relation = async (id: string) => {
    const body = { name: 'Parent', type: 'RELATION' as const, config: { dataSourceId: id } };
    return (await must(api.call('dataSources.columns', 'create', { params: { id }, body }))).id;
  };
  const source = await newSource(api, filteredColumns);
  const parent = await relation(source.id);
  const list = (query: Record<string, string>) =>
    api.raw('GET', `/data-sources/${source.id}/rows?${new URLSearchParams(query).toString()}`);
  const filter = (name: string, operator: string, value?: unknown) =>
    list({ filters: JSON.stringify([{ columnId: source.column(name), operator, value }]) });
  const rejected = async (answer: ReturnType<typeof list>, message: string) => isRejected(t, answer, 400, [message]);
  await rejected(
    filter('Flag', 'CONTAINS', 'x'),
    'filters[0].operator: must be one of EQUALS, IS_EMPTY, IS_NOT_EMPTY for a BOOLEAN column',
  );
  await rejected(filter('Number', 'EQUALS', '1'), 'filters[0].value: must be a number, like 12.5');
  await rejected(filter('Number', 'IN', [1, 'x']), 'filters[0].value[1]: must be a number, like 12.5');
  await rejected(filter('Text', 'EQUALS', ''), 'filters[0].value: must not be empty; use IS_EMPTY');
  await rejected(filter('Text', 'EQUALS'), 'filters[0].value: is required for EQUALS');
  await rejected(filter('Text', 'IS_EMPTY', 'x'), 'filters[0].value: IS_EMPTY takes no value; remove it');
  await rejected(filter('Text', 'IN', 'x'), 'filters[0].value: must be a list for IN');
  await rejected(filter('Status', 'EQUALS', 'Approved'), 'filters[0].value: must be one of the option keys a, o, r');
  await rejected(
    list({ filters: 'x' }),
    'filters: must be a JSON list like [{"columnId":"…","operator":"EQUALS","value":"…"}]',
  );
  await rejected(list({ sort: parent }), 'sort: must not be a RELATION column; choose another column');
  await rejected(list({ sort: source.id }), 'sort: no column of this data source; see GET /data-sources/:id');
  const other = await newSource(api, ['Text']);
  const foreign = JSON.stringify([{ columnId: other.column('Text'), operator: 'EQUALS', value: 'x' }]);
  await rejected(
    list({ filters: foreign }),
    'filters[0].columnId: no column of this data source; see GET /data-sources/:id',
  );
});
