import type { CellValue, RuleOperator } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import * as fc from 'fast-check';
import { filteredColumns, newSource } from '../support/data-sources.ts';

const app = useSharedApp(test);

type Row = Readonly<Record<string, CellValue>>;

const texts = [
  'acme',
  'Acme GmbH',
  'ACME',
  'Ärzte',
  'arzt',
  'a%_\\b',
  'x'.repeat(90),
  `${'x'.repeat(90)}y`,
  '100',
  'İstanbul',
  'κώστας',
  'ΚΏΣΤΑΣ',
];
const values = {
  Text: fc.constantFrom(...texts),
  Number: fc.constantFrom(-1e300, -2.5, -2.45, -1, 0, 1e-7, 0.1, 2, 10, 9.99999999999999, 1e21),
  Flag: fc.boolean(),
  Day: fc.constantFrom('1900-01-01', '2026-02-28', '2026-03-01', '2999-12-31'),
  Status: fc.constantFrom('a', 'o', 'r'),
};
type Name = keyof typeof values;

const row = fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Row>;

interface Condition {
  readonly name: Name;
  readonly operator: RuleOperator;
  readonly value?: CellValue | CellValue[];
}

const text: RuleOperator[] = ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS', 'IN', 'NOT_IN'];
const operators: Readonly<Record<Name, RuleOperator[]>> = {
  Text: text,
  Status: text,
  Number: ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN', 'LESS_THAN', 'GREATER_OR_EQUAL', 'LESS_OR_EQUAL', 'IN'],
  Day: ['EQUALS', 'BEFORE', 'AFTER'],
  Flag: ['EQUALS'],
};

const names = Object.keys(values) as Name[];
const condition = fc
  .constantFrom(...names)
  .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...operators[name], 'IS_EMPTY', 'IS_NOT_EMPTY')))
  .chain(([name, operator]): fc.Arbitrary<Condition> => {
    if (operator.startsWith('IS_')) return fc.constant({ name, operator });
    if (operator.endsWith('CONTAINS')) {
      return fc
        .constantFrom('c', 'cme', 'ACME G', 'xxxy', '%_\\', 'ed', 'ärz', 'ΚΏΣ', 'τας')
        .map((value) => ({ name, operator, value }));
    }
    const one = values[name] as fc.Arbitrary<CellValue>;
    return operator.endsWith('IN')
      ? fc.array(one, { maxLength: 3 }).map((value) => ({ name, operator, value }))
      : one.map((value) => ({ name, operator, value }));
  });

const labels: Readonly<Record<string, string>> = { a: 'approved', o: 'on hold', r: 'rejected' };
const lower = (value: CellValue | undefined) =>
  typeof value === 'string' ? value.normalize('NFC').toLowerCase().replaceAll('ς', 'σ') : value;

/** What the documentation says of filters, in the plainest way. */
function fulfils(cells: Row, { name, operator, value }: Condition): boolean {
  const actual = lower(cells[name]);
  if (operator.startsWith('NOT_'))
    return !fulfils(cells, {
      name,
      operator: operator.slice(4) as RuleOperator,
      ...(value !== undefined && { value }),
    });
  if (operator === 'IS_EMPTY') return actual === undefined;
  if (actual === undefined || actual === null) return false;
  const other = Array.isArray(value) ? undefined : lower(value);
  switch (operator) {
    case 'IS_NOT_EMPTY':
      return true;
    case 'EQUALS':
      return actual === other;
    case 'CONTAINS':
      return (name === 'Status' ? (labels[String(actual)] ?? '') : String(actual)).includes(String(other));
    case 'IN':
      return Array.isArray(value) && value.some((one) => lower(one) === actual);
    case 'GREATER_THAN':
    case 'AFTER':
      return actual > (other ?? '');
    case 'LESS_THAN':
    case 'BEFORE':
      return actual < (other ?? '');
    case 'GREATER_OR_EQUAL':
      return actual >= (other ?? '');
    default:
      return actual <= (other ?? '');
  }
}

const plain = (value: CellValue) => String(lower(value)).normalize('NFKD').replaceAll(/\p{M}/gu, '').slice(0, 80);

function compare(one: CellValue, other: CellValue): number {
  if (typeof one !== 'string' || typeof other !== 'string') return Number(one) - Number(other);
  const [a, b] = [plain(one), plain(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

test('filters, search and sorting agree with a plain model of them, page by page', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, filteredColumns);
  const { id } = source;
  const rows = fc.sample(row, { numRuns: 60, seed: 7 });
  const ids = await source.addRows(...rows);
  const byId = new Map(ids.map((rowId, index) => [rowId, rows[index] ?? {}]));
  const searches = fc.constantFrom('', '', 'acme', 'CME', 'on h', '100', 'zzz', 'x', '2026-03', '\\b', 'ΚΏΣ', 'τας');
  const orders = fc.option(fc.tuple(fc.constantFrom(...names), fc.boolean()), { nil: null });
  const searched = (cells: Row, search: string) =>
    names.some((name) => {
      const value = cells[name];
      if (value === undefined || name === 'Flag') return false;
      return String(name === 'Status' ? labels[String(value)] : lower(value)).includes(String(lower(search)));
    });

  const property = fc.asyncProperty(
    fc.array(condition, { maxLength: 2 }),
    searches,
    orders,
    async (conditions, search, order) => {
      const filters = conditions.map(({ name, ...rest }) => ({ columnId: source.column(name), ...rest }));
      const sort = order && `${order[1] ? '-' : ''}${source.column(order[0])}`;
      const query = { filters: JSON.stringify(filters), search, limit: 7, ...(sort && { sort }) };
      const expected = [...byId]
        .filter(([, cells]) => conditions.every((each) => fulfils(cells, each)) && searched(cells, search))
        .map(([rowId]) => rowId);

      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await must(
          api.call('dataSources.rows', 'list', { params: { id }, query: { ...query, ...(cursor && { cursor }) } }),
        );
        t.is(page.total, expected.length, JSON.stringify(query));
        found.push(...page.data.map((each) => each.id));
        cursor = page.nextCursor;
      }
      t.deepEqual(found.toSorted(), expected.toSorted(), JSON.stringify(query));
      if (!order) {
        t.deepEqual(found, found.toSorted().toReversed());
        return;
      }
      const cellsOf = found.map((rowId) => byId.get(rowId)?.[order[0]]);
      const filled = cellsOf.filter((value) => value !== undefined);
      t.deepEqual(cellsOf.slice(0, filled.length), filled, 'empty cells come last');
      for (const [index, value] of filled.slice(1).entries()) {
        const step = compare(filled[index] ?? null, value);
        t.true(
          order[1] ? step >= 0 : step <= 0,
          `${JSON.stringify(query)}: ${String(filled[index])}, ${String(value)}`,
        );
      }
    },
  );
  await fc.assert(property, { numRuns: 120 });
});
