import { fold, type Command, type LookedUpRow } from '@runward/engine';
import test from 'ava';
import { at } from '../support/calendar.ts';
import { field, processOf, task } from '../support/documents.ts';
import { begin, open } from '../support/run.ts';

const rowId = '01890c3e-5f3a-7cc1-9a56-000000000001';
const targets = ['street', 'limit'];
const lookup = (key: string) =>
  field(key, {
    type: 'DATA_SOURCE',
    dataSource: {
      dataSourceId: 'source',
      labelColumnId: 'column-name',
      autoFill: targets.map((target) => ({ columnId: `column-${target}`, fieldId: `field-${target}` })),
    },
  });
const document = processOf([
  task('order', {
    fields: [lookup('supplier'), lookup('other'), field('street'), field('limit', { type: 'NUMBER' })],
  }),
]);

/** Submits values by field key. For lookups, the row supplies the label and the values to fill in. */
function submit(
  values: Readonly<Record<string, string | number | null>>,
  row?: Readonly<Record<string, string | number | null>>,
): Command {
  const fills = Object.entries(row ?? {}).map(([key, value]) => ({
    fieldId: `field-${key}`,
    fieldValueId: `filled-${key}`,
    value,
  }));
  const lookedUp: LookedUpRow | undefined = row && { label: 'Acme', fills };
  const submitted = Object.entries(values).map(([key, value]) => {
    const one = { fieldId: `field-${key}`, fieldValueId: `value-${key}`, value };
    return value === rowId && lookedUp ? Object.assign(one, { row: lookedUp }) : one;
  });
  return { type: 'submitValues', entryId: 'e', values: submitted, userId: 'ada' };
}

function opened() {
  const run = begin(document);
  run.does(open('order', 'e'));
  const values = () =>
    Object.fromEntries(
      run.task('order').entries[0]?.values.map(({ fieldId, value }) => [fieldId.slice(6), value]) ?? [],
    );
  return { run, values };
}

test('a row fills fields with facts of their own, and folding the facts gives the same state', (t) => {
  const { run, values } = opened();
  t.is(run.does(submit({ supplier: rowId }, { street: '1 Main Street', limit: 10 }), at('10:01')).length, 3);
  t.deepEqual(values(), { supplier: rowId, street: '1 Main Street', limit: 10 });
  t.like(run.facts.at(-1), { type: 'value.submitted', fieldValueId: 'filled-limit', filledFrom: 'field-supplier' });
  t.is(run.task('order').entries[0]?.values[0]?.rowLabel, 'Acme');
  run.does(submit({ limit: 11 }));
  run.does(submit({ supplier: null }));
  t.deepEqual(values(), { supplier: null, street: null, limit: 11 });
  t.deepEqual(
    fold(() => document, run.facts),
    run.state,
  );
});

test('a submitted field is not filled, a value that does not fit counts as empty, and each lookup clears only its own', (t) => {
  const { run, values } = opened();
  run.does(submit({ supplier: rowId, street: 'Mine' }, { street: 'Theirs', limit: 'ten' }));
  t.deepEqual(values(), { supplier: rowId, street: 'Mine' });
  run.does(submit({ supplier: rowId }, { street: 'Theirs', limit: 10 }));
  run.does(submit({ other: null }));
  t.deepEqual(values(), { supplier: rowId, street: 'Theirs', limit: 10, other: null });
  run.does(submit({ supplier: rowId }, { street: null, limit: 'ten' }));
  t.deepEqual(values(), { supplier: rowId, street: null, limit: null, other: null });
});

test('the last of two values for one lookup counts, and a hidden field is not filled', (t) => {
  const { run, values } = opened();
  const chosen = submit({ supplier: rowId }, { street: 'Theirs' });
  const cleared = submit({ supplier: null });
  if (chosen.type !== 'submitValues' || cleared.type !== 'submitValues') throw new Error('No submission.');
  run.does({ ...chosen, values: [...chosen.values, ...cleared.values] });
  t.deepEqual(values(), { supplier: null });

  const condition = { source: { type: 'FIELD', fieldId: 'field-asked' }, operator: 'IS_EMPTY' } as const;
  const actions = [{ type: 'HIDE', taskIds: [], fieldIds: ['field-street'] }] as const;
  const [order = task('order')] = document.tasks;
  const hiding = processOf([
    task('ask', {
      fields: [field('asked')],
      rules: [{ id: 'r', name: null, match: 'ALL', conditions: [condition], actions }],
    }),
    order,
  ]);
  const other = begin(hiding);
  other.does(open('order', 'e'));
  other.does(submit({ supplier: rowId }, { street: 'Theirs', limit: 10 }));
  t.deepEqual(
    other.task('order').entries[0]?.values.map(({ fieldId }) => fieldId),
    ['field-supplier', 'field-limit'],
  );
});
