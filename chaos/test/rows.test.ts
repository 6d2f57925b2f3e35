import test from 'ava';
import { checkRows } from '../checker/rows.ts';
import type { RowHistory, RowOperation, WrittenRow } from '../history/row-history.ts';

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
type Rows = Mutable<WrittenRow>[];

const operation = (batch: string, kind: RowOperation['kind'], version = 0): Mutable<RowOperation> => {
  return { batch, kind, size: 2, version, status: 200 };
};

const row = (id: string, batch: string, version: number): Mutable<WrittenRow> => {
  const changes = Array.from({ length: version + 1 }, (_, index) => ({
    type: index === 0 ? 'CREATED' : 'UPDATED',
    before: index === 0 ? null : index - 1,
    after: index,
    active: index % 2 === 0,
  }));
  return { id, batch, version, active: version % 2 === 0, changes };
};

/** A batch that was created and updated, and one that was deleted. */
function newHistory() {
  const operations = [
    operation('a', 'create'),
    operation('b', 'create'),
    operation('a', 'update', 1),
    operation('b', 'delete'),
  ];
  const rows: Rows = [row('1', 'a', 1), row('2', 'a', 1)];
  return { operations, rows, counts: { rowCount: 2, activeRowCount: 0 } };
}

function violated(change: (history: ReturnType<typeof newHistory>) => void): string[] {
  const history = newHistory();
  change(history);
  return [...new Set(checkRows(history satisfies RowHistory).map(({ rule }) => rule))].sort();
}

const first = <Item>([item]: readonly Item[]): Item => {
  if (item === undefined) throw new Error('The list is empty.');
  return item;
};

test('rows written by whole requests violate nothing, whether or not a request without a response was applied', (t) => {
  t.deepEqual(
    violated(() => {}),
    [],
  );
  t.deepEqual(
    violated(({ operations }) => operations.push(Object.assign(operation('a', 'update', 2), { status: null }))),
    [],
  );
  t.deepEqual(
    violated(({ operations }) => operations.push(Object.assign(operation('a', 'delete'), { status: null }))),
    [],
  );
  t.deepEqual(
    violated(({ operations }) => operations.push(Object.assign(operation('c', 'create'), { status: null }))),
    [],
  );
  t.deepEqual(
    violated((it) => Object.assign(it.operations[2] ?? {}, { status: null })),
    [],
  );
});

const planted: readonly (readonly [string, (history: ReturnType<typeof newHistory>) => void, readonly string[]])[] = [
  ['a request created some of its rows', (it) => (it.rows.pop(), (it.counts.rowCount = 1)), ['rows written in part']],
  [
    'a request updated some of its rows',
    (it) => it.rows.splice(1, 1, row('2', 'a', 0)),
    ['rows written in part', 'wrong row count'],
  ],
  ['a created batch is missing', (it) => ((it.rows = []), (it.counts.rowCount = 0)), ['lost rows']],
  [
    'an update is missing',
    (it) => ((it.rows = [row('1', 'a', 0), row('2', 'a', 0)]), (it.counts.activeRowCount = 2)),
    ['lost rows'],
  ],
  [
    'a deleted batch is there',
    (it) => (it.rows.push(row('3', 'b', 0), row('4', 'b', 0)), (it.counts = { rowCount: 4, activeRowCount: 2 })),
    ['lost rows'],
  ],
  [
    'a batch was created twice',
    (it) => (it.rows.push(row('3', 'a', 1), row('4', 'a', 1)), (it.counts.rowCount = 4)),
    ['rows written in part'],
  ],
  ['a batch was created by no writer', (it) => (it.rows.push(row('3', 'z', 1)), (it.counts.rowCount = 3)), ['phantom']],
  [
    'a request was rejected',
    (it) => it.operations.push(Object.assign(operation('c', 'create'), { status: 400 })),
    ['rejected'],
  ],
  [
    'a timeline lacks a change',
    (it) => (first(it.rows).changes = first(it.rows).changes.slice(1)),
    ['row differs from timeline'],
  ],
  [
    'a timeline has a change twice',
    (it) => (first(it.rows).changes = first(it.rows).changes.flatMap((one) => [one, one])),
    ['row differs from timeline'],
  ],
  [
    'a row is active against its timeline',
    (it) => ((first(it.rows).active = true), (it.counts.activeRowCount = 1)),
    ['row differs from timeline'],
  ],
  ['rows are miscounted', (it) => (it.counts.rowCount = 3), ['wrong row count']],
  ['active rows are miscounted', (it) => (it.counts.activeRowCount = 1), ['wrong row count']],
];

for (const [name, change, rules] of planted) {
  test(`the checker detects that ${name}`, (t) => {
    t.deepEqual(violated(change), rules);
  });
}
