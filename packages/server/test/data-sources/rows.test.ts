import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newSource, statusColumn } from '../support/data-sources.ts';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

const types = ['NUMBER', 'BOOLEAN', 'DATE', 'DATETIME'] as const;
const typed = types.map((type) => ({ name: type, type }));

test('a row is created, changed and deleted, and its timeline tells who changed what', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const source = await newSource(api, ['Name', ...typed, statusColumn('Status', 'Approved')]);
  const { id, cells } = source;
  const all = { NUMBER: -0.1, BOOLEAN: false, DATE: '2026-02-28', DATETIME: '2026-03-01T09:00:00+01:00', Status: 'a' };
  const body = { cells: cells({ Name: '=1+1', ...all }) };
  const made = await api.call('dataSources.rows', 'create', { params: { id }, body });
  t.is(made.status, 201);
  const stored = cells({ Name: '=1+1', ...all, DATETIME: '2026-03-01T08:00:00.000Z' });
  t.like(made.body, { active: true, cells: stored });
  const params = { id, rowId: made.body.id };
  t.deepEqual(await must(api.call('dataSources.rows', 'get', { params })), made.body);

  const changes = { cells: cells({ Name: 'Acme', NUMBER: null, DATE: '' }), active: false };
  const changed = await must(api.call('dataSources.rows', 'update', { params, body: changes }));
  const { [source.column('NUMBER')]: _, [source.column('DATE')]: _d, ...rest } = stored;
  t.deepEqual(changed.cells, { ...rest, ...cells({ Name: 'Acme' }) });
  t.false(changed.active);
  // The same again changes nothing.
  t.deepEqual(await must(api.call('dataSources.rows', 'update', { params, body: changes })), changed);
  const { data, total } = await must(api.call('dataSources.rows', 'timeline', { params }));
  t.is(total, 2);
  t.like(data[0], { type: 'UPDATED', active: false, actor: { type: 'API_KEY', userId: ownerUserId } });
  t.deepEqual(
    data[0]?.changes.map(({ columnId, before, after }) => ({ columnId, before, after })),
    [
      { columnId: source.column('Name'), before: '=1+1', after: 'Acme' },
      { columnId: source.column('NUMBER'), before: -0.1, after: null },
      { columnId: source.column('DATE'), before: '2026-02-28', after: null },
    ],
  );
  t.is(data[1]?.type, 'CREATED');

  t.is((await api.call('dataSources.rows', 'delete', { params })).status, 204);
  for (const name of ['get', 'timeline', 'relations', 'delete'] as const) {
    await isRejected(t, api.call('dataSources.rows', name, { params }), 404, 'Row not found.');
  }
  t.is(await source.rowCount(), 0);
});

test('a bulk request with invalid rows names every one of them and creates none', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Name', ...typed, statusColumn('Status', 'Approved')]);
  const { id, column } = source;
  const bulk = (rows: unknown) => api.raw('POST', `/data-sources/${id}/rows/bulk`, { body: { rows } });
  const unknown = '01900000-0000-7000-8000-000000000001';
  const wrong = {
    Name: 1,
    NUMBER: '1',
    BOOLEAN: 'yes',
    DATE: '2026-02-30',
    DATETIME: '2026-03-01',
    Status: 'Approved',
  };
  const rows = [{ cells: source.cells({ Name: 'Acme' }) }, { cells: source.cells(wrong) }];
  await isRejected(
    t,
    bulk([...rows, { cells: { [unknown]: 'x', ...source.cells({ NUMBER: 1234567890.123456 }) } }]),
    400,
    [
      `rows[1].cells.${column('Name')}: must be a string`,
      `rows[1].cells.${column('NUMBER')}: must be a number, like 12.5`,
      `rows[1].cells.${column('BOOLEAN')}: must be true or false`,
      `rows[1].cells.${column('DATE')}: must be a date between the years 1900 and 2999, like 2026-03-01`,
      `rows[1].cells.${column('DATETIME')}: must be an ISO 8601 timestamp with a time zone, between the years 1900 and 2999, like 2026-03-01T09:00:00Z`,
      `rows[1].cells.${column('Status')}: must be one of the option keys a`,
      `rows[2].cells.${unknown}: no column of this data source; see GET /data-sources/:id`,
      `rows[2].cells.${column('NUMBER')}: must have at most 15 significant digits; round it, or use a TEXT column`,
    ],
  );
  await isRejected(t, bulk(Array.from({ length: 5_001 }, () => ({ cells: {} }))), 400, [
    'rows: must hold at most 5000 items',
  ]);
  const tooLarge = JSON.stringify({ rows: [{ cells: { [column('Name')]: 'x'.repeat(10_000_001) } }] });
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const answer = await fetch(`${app.baseUrl}/data-sources/${id}/rows/bulk`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${(await newOrganization(app)).apiKey}` },
    body: gzipSync(tooLarge),
  });
  t.is(answer.status, 413);
  t.is(await source.rowCount(), 0);

  const [one = '', two = ''] = await source.addRows({ Name: 'Acme' }, { Name: 'Hooli' });
  const rowIds = [one, unknown, two];
  const noRow = ['rowIds[1]: no row of this data source; see GET /data-sources/:id/rows'];
  const params = { id };
  const cells = source.cells({ Name: 'Initech' });
  await isRejected(t, api.call('dataSources.rows', 'bulkUpdate', { params, body: { rowIds, cells } }), 400, noRow);
  await isRejected(t, api.call('dataSources.rows', 'bulkDelete', { params, body: { rowIds } }), 400, noRow);
  t.is((await source.list({ search: 'initech' })).length, 0);
  const updated = await must(
    api.call('dataSources.rows', 'bulkUpdate', { params, body: { rowIds: [one, two], cells, active: false } }),
  );
  t.deepEqual(updated, { updated: 2 });
  t.deepEqual(await source.list({ search: 'NITEC' }), [two, one]);
  t.deepEqual(await source.list({ activeOnly: 'true' }), []);
  t.deepEqual(await must(api.call('dataSources.rows', 'bulkDelete', { params, body: { rowIds: [two, one] } })), {
    deleted: 2,
  });
  t.is(await source.rowCount(), 0);
});

test('a bulk request with more invalid cells than a response may name gets the first 200', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, [statusColumn('Status', 'Approved')]);
  const bulk = (rows: unknown) => api.raw('POST', `/data-sources/${source.id}/rows/bulk`, { body: { rows } });
  const more = 'body: has more problems than these; correct them, then send it again';
  const wrong = { cells: source.cells({ Status: 'x' }) };
  const named = Array.from(
    { length: 200 },
    (_, index) => `rows[${index}].cells.${source.column('Status')}: must be one of the option keys a`,
  );
  await isRejected(t, bulk(Array.from({ length: 200 }, () => wrong)), 400, named);
  await isRejected(t, bulk(Array.from({ length: 5_000 }, () => wrong)), 400, [...named, more]);
  const unknown = Array.from({ length: 300 }, (_, index) => `x${index}`);
  await isRejected(t, bulk([{ cells: Object.fromEntries(unknown.map((name) => [name, 1])) }]), 400, [
    ...unknown
      .slice(0, 200)
      .map((name) => `rows[0].cells.${name}: no column of this data source; see GET /data-sources/:id`),
    more,
  ]);
  t.is(await source.rowCount(), 0);
});

test('a bulk request with too many or repeated ids, or with rows of another data source, changes nothing', async (t) => {
  const { api } = await newOrganization(app);
  const [source, other] = [await newSource(api, ['Name']), await newSource(api, ['Name'])];
  const [own = ''] = await source.addRows({ Name: 'Acme' });
  const [foreign = ''] = await other.addRows({ Name: 'Hooli' });
  const cells = source.cells({ Name: 'Late' });
  const many = Array.from({ length: 5_001 }, () => randomUUID());
  for (const [path, more] of [
    ['bulk-update', { cells }],
    ['bulk-delete', {}],
  ] as const) {
    const send = (rowIds: string[]) =>
      api.raw('POST', `/data-sources/${source.id}/rows/${path}`, { body: { rowIds, ...more } });
    t.regex(String((await send(many)).error.message), /^rowIds: must /);
    t.regex(String((await send([own, own])).error.message), /^rowIds: must /);
    await isRejected(t, send([own, foreign]), 400, [
      'rowIds[1]: no row of this data source; see GET /data-sources/:id/rows',
    ]);
  }
  const wrong = { rowIds: [own], cells: other.cells({ Name: 'Late' }) };
  await isRejected(t, api.raw('POST', `/data-sources/${source.id}/rows/bulk-update`, { body: wrong }), 400, [
    `cells.${other.column('Name')}: no column of this data source; see GET /data-sources/:id`,
  ]);
  t.deepEqual(await source.list({ search: 'acme' }), [own]);
  t.deepEqual(await other.list(), [foreign]);
});

test('numbers keep all their digits and are never stored as others', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, typed);
  const { id } = source;
  const column = source.column('NUMBER');
  const numbers = ['0.1', '123456789012345', '-0.000000000000123456789012345', '1e300', '99999999999999.9', '-0'];
  for (const text of numbers) {
    const { body, status } = await api.raw('POST', `/data-sources/${id}/rows`, {
      body: `{"cells":{"${column}":${text}}}`,
    });
    t.is(status, 201, text);
    t.is((body as { cells: Record<string, number> }).cells[column], text === '-0' ? 0 : Number(text));
  }
  for (const text of [
    '0.1234567890123456',
    '9007199254740993',
    '1.00000000000000001',
    '100000000000000000001',
    '1e-400',
  ]) {
    const { status, error } = await api.raw('POST', `/data-sources/${id}/rows`, {
      body: `{"cells":{"${column}":${text}}}`,
    });
    t.is(status, 400, text);
    t.regex([error.message].flat().join(), /significant digits/, text);
  }
});

test('rows beyond the plan are a 402, also when they are created concurrently in several data sources', async (t) => {
  const { api, setPlan, session } = await newOrganization(app);
  const [one, two] = [await newSource(api, ['Name']), await newSource(api, ['Name'])];
  const rows = Array.from({ length: 400 }, (_, index) => ({ cells: one.cells({ Name: `Row ${index}` }) }));
  const owner = await session();
  await setPlan('FREE');
  const create = (id: string, cells: typeof rows) =>
    owner.call('dataSources.rows', 'bulkCreate', { params: { id }, body: { rows: cells } });
  const others = rows.map((_, index) => ({ cells: two.cells({ Name: `Row ${index}` }) }));
  const results = await Promise.all([
    create(one.id, rows),
    create(two.id, others),
    create(one.id, rows),
    create(two.id, others),
  ]);
  t.is(results.filter(({ status }) => status === 201).length, 2);
  t.is(results.filter(({ status }) => status === 402).length, 2);
  const rejected = results.find(({ status }) => status === 402);
  t.like(rejected?.error, {
    code: 'FEATURE_LOCKED',
    capability: 'dataSourceRows',
    message:
      'The FREE plan includes 1,000 rows in data sources, and the organization has 800; delete rows, or change the plan.',
  });
  t.is((await create(one.id, rows.slice(0, 200))).status, 201);
  t.is((await create(one.id, rows.slice(0, 1))).status, 402);
});

test('concurrent writes to one data source lose nothing, and its counts stay exact', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Name', 'City', 'Note']);
  const { id } = source;
  const ids = await source.addRows(...Array.from({ length: 40 }, (_, index) => ({ Name: `Row ${index}`, Note: 'x' })));
  const body = (cells: Record<string, string>, rowIds: string[]) => ({ rowIds, cells: source.cells(cells) });
  const update = (cells: Record<string, string>, rowIds = ids) =>
    api.call('dataSources.rows', 'bulkUpdate', { params: { id }, body: body(cells, rowIds) });
  const results = await Promise.all([
    update({ Name: 'Same' }),
    update({ City: 'Berlin' }, ids.toReversed()),
    api.call('dataSources.columns', 'delete', { params: { id, columnId: source.column('Note') } }),
    api.call('dataSources.rows', 'bulkCreate', { params: { id }, body: { rows: [{ cells: {} }, { cells: {} }] } }),
    api.call('dataSources.columns', 'create', { params: { id }, body: { name: 'More' } }),
    ...ids.slice(0, 5).map((rowId) => api.call('dataSources.rows', 'get', { params: { id, rowId } })),
    ...ids
      .slice(5, 10)
      .map((rowId) => api.call('dataSources.rows', 'update', { params: { id, rowId }, body: { active: false } })),
  ]);
  t.deepEqual(
    results.filter(({ status }) => status >= 300).map(({ error }) => error.message),
    [],
  );
  const { data, total } = await must(api.call('dataSources.rows', 'list', { params: { id } }));
  t.is(total, 42);
  const expected = source.cells({ Name: 'Same', City: 'Berlin' });
  for (const { cells } of data.filter((row) => ids.includes(row.id))) t.deepEqual(cells, expected);

  // A deletion and an update of the same rows: in either order, the counts are right.
  const last = ids.slice(20);
  const raced = await Promise.all([
    update({ Name: 'Late' }, last),
    api.call('dataSources.rows', 'bulkDelete', { params: { id }, body: { rowIds: last } }),
  ]);
  t.true([200, 400].includes(raced[0].status));
  t.is(raced[1].status, 200);
  const counts = 'select row_count, active_row_count from data_sources where id = $1';
  t.deepEqual(await app.provision.query(counts, [id]), [{ row_count: 22, active_row_count: 17 }]);
  t.is((await must(api.call('dataSources.rows', 'list', { params: { id }, query: { activeOnly: 'true' } }))).total, 17);
});
