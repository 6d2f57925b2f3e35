/**
 * Measures lists of a data source of 1,000,000 rows: `node --conditions=@runward/source benchmarks/data-sources.ts [ROWS] [FOLDER]`. Fills it
 * through the API in requests of 5,000 rows, and prints the rate and, for each kind of list, the median and the 95th percentile of 60 requests,
 * one at a time, with different values as far as there are: of the first with each value, which counts the total, and of those with a value
 * that was counted before. With a folder, the database stays there, and the next run measures it again without filling it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, type CellValue } from '@runward/contract';
import { openDatabase } from '@runward/server/internal/database/database';
import { ensureDatabase, startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import { migrate } from '@runward/server/internal/database/migrate';
import { inTransaction } from '@runward/server/internal/database/transaction';
import { createOrganization } from '@runward/server/internal/organization/create-organization';
import { newDataFolder } from '@runward/testing/data-folder';
import { cheapPasswords } from '@runward/testing/passwords';
import { Client } from 'pg';
import { startRunward } from './service.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const requests = 60;
const log = (line: string) => void process.stdout.write(`${line}\n`);

const columns = [
  'Name',
  'City',
  'Account',
  { name: 'Revenue', type: 'NUMBER' as const },
  { name: 'Approved', type: 'BOOLEAN' as const },
  { name: 'Since', type: 'DATE' as const },
];
const cities = ['Berlin', 'München', 'Lyon', 'Paris', 'Aarhus', 'Gdańsk', 'Oulu', 'Porto'];
const first = ['Nord', 'Alpen', 'Hansa', 'Rhein', 'Delta', 'Omega', 'Inter', 'Euro', 'Terra', 'Aqua'];
const second = ['stahl', 'chemie', 'technik', 'bau', 'druck', 'glas', 'holz', 'textil', 'logistik', 'pharma'];

const pick = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item;
const account = (index: number) => `DE${String((index * 2_654_435_761) % 10_000_000_000).padStart(10, '0')}`;

/** The values of a row; the same for every run. */
function valuesOf(index: number): CellValue[] {
  const mixed = (index * 7_919) % 1_000_003;
  return [
    `${pick(first, mixed)}${pick(second, Math.floor(mixed / 10))} ${mixed} GmbH`,
    pick(cities, Math.floor(mixed / 3)),
    account(index),
    mixed / 100,
    mixed % 2 === 0,
    new Date(Date.UTC(1990, 0, 1 + (mixed % 12_000))).toISOString().slice(0, 10),
  ];
}

await using stack = new AsyncDisposableStack();
const folder = process.argv[3] ?? stack.use(await newDataFolder()).path;
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => {} });
stack.defer(() => postgres.stop());
const url = postgres.url('service');
const stateFile = join(folder, 'benchmark.json');
const isFilled = existsSync(stateFile);

async function newApiKey(): Promise<string> {
  await ensureDatabase(url);
  await migrate(url);
  const database = await openDatabase(url);
  const organization = {
    name: 'Benchmark',
    plan: 'ENTERPRISE',
    timeZone: 'UTC',
    ownerEmail: 'owner@example.com',
  } as const;
  const { apiKey } = await inTransaction(database, (em) => createOrganization(em, cheapPasswords, organization));
  await database.close();
  return apiKey;
}

interface Source {
  readonly id: string;
  readonly columns: readonly { readonly id: string }[];
}

/** What a folder remembers. */
interface State {
  readonly apiKey: string;
  readonly source: Source;
}

const before = isFilled ? (JSON.parse(readFileSync(stateFile, 'utf8')) as State) : null;
const apiKey = before?.apiKey ?? (await newApiKey());
const service = await startRunward({ databaseUrl: url, folder, mode: 'production' });
stack.defer(async () => {
  await service.stop();
});

async function call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Result;
}

const source =
  before?.source ?? (await call<Source>('POST', contract.dataSources.create.path, { name: 'Suppliers', columns }));
const ids = source.columns.map(({ id }) => id);
const [name = '', city = '', accountColumn = '', revenue = '', approved = '', since = ''] = ids;
const rowsPath = contract['dataSources.rows'].list.path.replace(':id', source.id);

async function fill(): Promise<void> {
  const began = performance.now();
  const secondsSince = () => (performance.now() - began) / 1_000;
  for (let from = 0; from < rows; from += 5_000) {
    const batch = Array.from({ length: Math.min(5_000, rows - from) }, (_, index) => ({
      cells: Object.fromEntries(valuesOf(from + index).map((value, column) => [ids[column], value])),
    }));
    await call('POST', `${rowsPath}/bulk`, { rows: batch });
    if ((from / 5_000) % 20 === 19) log(`${from + 5_000} rows after ${secondsSince().toFixed(0)} s`);
  }
  log(`${rows} rows in ${secondsSince().toFixed(0)} s: ${Math.round(rows / secondsSince())} rows per second`);
  writeFileSync(stateFile, JSON.stringify({ apiKey, source } satisfies State));
}

if (!isFilled) await fill();

const client = new Client({ connectionString: url });
await client.connect();
await client.query('vacuum analyze data_source_rows');
const { rows: sizes } = await client.query<{ heap: string; indexes: string }>(
  `select pg_size_pretty(pg_table_size('data_source_rows')) as heap, pg_size_pretty(pg_indexes_size('data_source_rows')) as indexes`,
);
log(`rows ${sizes[0]?.heap}, indexes ${sizes[0]?.indexes}`);
await client.end();

type Query = Record<string, unknown>;
const where = (...filters: [columnId: string, operator: string, value?: unknown][]) =>
  JSON.stringify(filters.map(([columnId, operator, value]) => ({ columnId, operator, value })));

const dayOf = (index: number) => new Date(Date.UTC(2005, 5, 1 + index * 20)).toISOString().slice(0, 10);

const lists: Readonly<Record<string, (index: number) => Query>> = {
  'newest first': () => ({}),
  'search, 1 match': (index) => ({ search: account(index * 997).slice(2) }),
  'search, a few matches': (index) => ({ search: account(index * 997).slice(4, 11) }),
  'search, 1 % of the rows': (index) => ({
    search: `${pick(first, index)}${pick(second, index + Math.floor(index / 10))}`,
  }),
  'search, 10 % of the rows': (index) => ({ search: pick(second, index) }),
  'search, every row': () => ({ search: 'gmbh' }),
  'text equals': (index) => ({ filters: where([accountColumn, 'EQUALS', account(index * 997).toLowerCase()]) }),
  'text contains, a few': (index) => ({
    filters: where([accountColumn, 'CONTAINS', account(index * 997).slice(4, 11)]),
  }),
  'text equals, 12 % of the rows': (index) => ({ filters: where([city, 'EQUALS', pick(cities, index)]) }),
  'number between': (index) => ({
    filters: where([revenue, 'GREATER_THAN', index * 100], [revenue, 'LESS_THAN', index * 100 + 50]),
  }),
  'date before, half of the rows': (index) => ({ filters: where([since, 'BEFORE', dayOf(index)]) }),
  'boolean, half of the rows': (index) => ({ filters: where([approved, 'EQUALS', index % 2 === 0]) }),
  'not equal': (index) => ({ filters: where([city, 'NOT_EQUALS', pick(cities, index)]) }),
  'is empty': () => ({ filters: where([since, 'IS_EMPTY']) }),
  'sorted by text': (index) => ({ sort: index % 2 === 0 ? name : `-${name}` }),
  'sorted by number': (index) => ({ sort: index % 2 === 0 ? revenue : `-${revenue}` }),
  'sorted by date': (index) => ({ sort: index % 2 === 0 ? since : `-${since}` }),
  'filtered by city, sorted by number': (index) => ({
    filters: where([city, 'EQUALS', pick(cities, index)]),
    sort: revenue,
  }),
  'search, sorted by date': (index) => ({
    search: `${pick(first, index)}${pick(second, index + 3)}`,
    sort: `-${since}`,
  }),
  'city and boolean': (index) => ({
    filters: where([city, 'EQUALS', pick(cities, index)], [approved, 'EQUALS', true]),
  }),
  'number and boolean, few': (index) => ({
    filters: where([revenue, 'LESS_THAN', 10 + index / 10], [approved, 'EQUALS', true]),
  }),
  'date and boolean': (index) => ({
    filters: where([since, 'BEFORE', dayOf(index)], [approved, 'EQUALS', true]),
  }),
  'date and city': (index) => ({
    filters: where([since, 'BEFORE', dayOf(index)], [city, 'EQUALS', pick(cities, index)]),
  }),
};

const heads = ['matches', 'p50 ms', 'p95 ms', 'again', 'p95 ms'].map((head) => head.padStart(9)).join('');
log(`\n${'list of 50 rows'.padEnd(38)}${heads}`);
const measured = Object.entries(lists);
for (const title of ['search, every row', 'search, 10 % of the rows']) {
  const queryOf = lists[title] ?? (() => ({}));
  // One text, because a cursor belongs to its list.
  const query = new URLSearchParams({ limit: '50', ...(queryOf(0) as Record<string, string>) });
  const { nextCursor } = await call<{ nextCursor: string }>('GET', `${rowsPath}?${query.toString()}`);
  measured.push([`${title}, next page`, () => ({ ...queryOf(0), cursor: nextCursor })]);
}
for (const [title, queryOf] of measured) {
  const queries = Array.from({ length: requests }, (_, index) =>
    new URLSearchParams({ limit: '50', ...(queryOf(index) as Record<string, string>) }).toString(),
  );
  const [times, again]: [number[], number[]] = [[], []];
  const sent = new Set<string>();
  let matches = 0;
  for (const query of [...queries, ...queries]) {
    const start = performance.now();
    ({ total: matches } = await call<{ total: number }>('GET', `${rowsPath}?${query}`));
    (sent.has(query) ? again : times).push(performance.now() - start);
    sent.add(query);
  }
  const at = (measurements: readonly number[], share: number) =>
    (measurements.toSorted((one, other) => one - other)[Math.floor(measurements.length * share)] ?? NaN)
      .toFixed(1)
      .padStart(9);
  const columnsOf = (measurements: readonly number[]) => `${at(measurements, 0.5)}${at(measurements, 0.95)}`;
  log(`${title.padEnd(38)}${String(matches).padStart(9)}${columnsOf(times)}${columnsOf(again)}`);
}
