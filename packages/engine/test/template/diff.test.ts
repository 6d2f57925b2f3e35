import { diff, emptyProcess, type Change, type ProcessDocument } from '@runward/engine';
import test from 'ava';
import * as fc from 'fast-check';
import { earliestCommon, longestCommon, patched, rowsOf, sortedRows } from '../support/diff-model.ts';
import { field, options, phase, processOf, task, variable } from '../support/documents.ts';
import { relatedDocuments } from '../support/related-documents.ts';

const summary = (changes: readonly Change[]) => changes.map(({ kind, entity, label }) => `${kind} ${entity} ${label}`);

/** A diff in the other direction. */
const mirrored = { ADDED: 'REMOVED', REMOVED: 'ADDED', CHANGED: 'CHANGED', MOVED: 'MOVED' } as const;

const unordered = (changes: readonly Change[], isBack = false) =>
  changes
    .filter(({ kind }) => kind !== 'MOVED')
    .map(({ kind, entity, id, before = null, after = null }) =>
      JSON.stringify(isBack ? [mirrored[kind], entity, id, after, before] : [kind, entity, id, before, after]),
    )
    .toSorted();

test('the changes between two documents turn the first into the second, and name no equal part', (t) => {
  fc.assert(
    fc.property(relatedDocuments, relatedDocuments, (before, after) => {
      const changes = diff(before, after);
      t.deepEqual(sortedRows(patched(before, changes)), sortedRows(rowsOf(after)));
      for (const { kind, before: was = {}, after: is = {} } of changes) {
        if (kind !== 'CHANGED') continue;
        const [keys, others] = [Object.keys(was), Object.keys(is)];
        t.deepEqual(keys, others);
        t.true(keys.some((key) => key !== 'key'));
        for (const key of keys) if (key !== 'key') t.notDeepEqual(was[key], is[key]);
      }
    }),
  );
});

const movedEntities = (changes: readonly Change[]) =>
  changes
    .filter(({ kind }) => kind === 'MOVED')
    .map(({ entity }) => entity)
    .toSorted();

test('equal documents have no changes, and swapping two documents mirrors their changes, with as many moves', (t) => {
  fc.assert(
    fc.property(relatedDocuments, relatedDocuments, (one, other) => {
      t.deepEqual(diff(one, structuredClone(one)), []);
      const [there, back] = [diff(one, other), diff(other, one)];
      t.deepEqual(unordered(there), unordered(back, true));
      // If two parts swap places, the one that came first stays. It is a different one in each direction.
      t.deepEqual(movedEntities(there), movedEntities(back));
    }),
  );
});

test('reordered parts stay as far as possible, the earliest of equal choices, whatever their ids are', (t) => {
  const titles = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
  fc.assert(
    fc.property(
      fc.shuffledSubarray(titles),
      fc.shuffledSubarray(titles),
      fc.shuffledSubarray(titles, { minLength: titles.length }),
      (before, after, ids) => {
        const documentOf = (names: readonly string[]) =>
          processOf(names.map((name) => task(name, { id: ids[titles.indexOf(name)] ?? '' })));
        const moved = new Set(
          diff(documentOf(before), documentOf(after)).flatMap(({ kind, label }) => (kind === 'MOVED' ? [label] : [])),
        );
        const common = before.filter((name) => after.includes(name));
        t.deepEqual(
          common.filter((name) => !moved.has(name)),
          [...earliestCommon(before, after)],
        );
      },
    ),
  );
});

test('the fewest possible parts of a list are moved', (t) => {
  const titles = Array.from({ length: 12 }, (_, index) => String(index));
  fc.assert(
    fc.property(fc.shuffledSubarray(titles), fc.shuffledSubarray(titles), (before, after) => {
      const documentOf = (names: readonly string[]) => processOf(names.map((name) => task(name)));
      const moved = diff(documentOf(before), documentOf(after)).filter(({ kind }) => kind === 'MOVED');
      const common = before.filter((name) => after.includes(name));
      t.is(moved.length, common.length - longestCommon(before, after));
    }),
  );
  const many = Array.from({ length: 500 }, (_, index) => task(String(index)));
  const [first = task('0'), ...rest] = many;
  t.deepEqual(diff(processOf(many), processOf([...rest, first])), [
    { kind: 'MOVED', entity: 'TASK', id: 'task-0', label: '0', before: { position: 0 }, after: { position: 499 } },
  ]);
});

const before: ProcessDocument = processOf(
  [
    task('Ask', { fields: [field('size', { type: 'DROPDOWN', options: options('s', 'm') }), field('note')] }),
    task('Call', { fields: [field('number')] }),
    task('Pack', {
      dependencies: ['task-Ask', 'task-Call'],
      rules: [{ id: 'rule-1', name: null, match: 'ALL', conditions: [], actions: [] }],
    }),
  ],
  { phases: [phase('x')], variables: [variable('region')] },
);

const after: ProcessDocument = processOf(
  [
    task('Ask', {
      due: { from: 'LAUNCH', offset: 'P1D', hasTime: true },
      fields: [field('size', { type: 'DROPDOWN', options: [...options('l'), { key: 's', label: 'Small' }] })],
    }),
    task('Pack', {
      title: 'Pack it',
      dependencies: ['task-Ask'],
      fields: [field('note'), field('box', { type: 'DROPDOWN', options: options('a') })],
      rules: [{ id: 'rule-1', name: 'Fragile', match: 'ALL', conditions: [], actions: [] }],
    }),
  ],
  { phases: [phase('x', { name: 'Y' })], variables: [variable('region', 'EU')] },
);

test('changes come in the order of the document and are labelled with the names that people see', (t) => {
  t.deepEqual(summary(diff(before, after)), [
    'CHANGED PHASE Y',
    'CHANGED TASK Ask',
    'ADDED OPTION Ask > size > L',
    'CHANGED OPTION Ask > size > Small',
    'REMOVED OPTION Ask > size > M',
    'REMOVED TASK Call',
    'REMOVED FIELD Call > number',
    'CHANGED TASK Pack it',
    'MOVED FIELD Pack it > note',
    'ADDED FIELD Pack it > box',
    'CHANGED RULE Pack it > Fragile',
    'REMOVED DEPENDENCY Pack waits for Call',
    'CHANGED VARIABLE region',
  ]);
  t.deepEqual(
    summary(diff(emptyProcess, before)),
    summary(diff(before, emptyProcess)).map((line) => line.replace('REMOVED', 'ADDED')),
  );
});

test('a change has the properties that differ, a part that was added or removed all of them, a move its places', (t) => {
  const changes = new Map(diff(before, after).map((change) => [`${change.entity} ${change.label}`, change]));
  t.deepEqual(changes.get('TASK Ask'), {
    kind: 'CHANGED',
    entity: 'TASK',
    id: 'task-Ask',
    label: 'Ask',
    before: { due: null },
    after: { due: { from: 'LAUNCH', offset: 'P1D', hasTime: true } },
  });
  t.deepEqual(changes.get('FIELD Pack it > note'), {
    kind: 'MOVED',
    entity: 'FIELD',
    id: 'field-note',
    label: 'Pack it > note',
    before: { taskId: 'task-Ask', position: 1 },
    after: { taskId: 'task-Pack', position: 0 },
  });
  const { id: _, ...box } = field('box', { type: 'DROPDOWN', options: options('a') });
  t.deepEqual(changes.get('FIELD Pack it > box'), {
    kind: 'ADDED',
    entity: 'FIELD',
    id: 'field-box',
    label: 'Pack it > box',
    after: { ...box, searchable: false, dataSource: null, taskId: 'task-Pack', position: 1 },
  });
  t.like(changes.get('OPTION Ask > size > Small'), {
    id: 'field-size',
    before: { key: 's', label: 'S' },
    after: { key: 's', label: 'Small' },
  });
  t.like(changes.get('DEPENDENCY Pack waits for Call'), {
    id: 'task-Pack',
    before: { taskId: 'task-Call', position: 1 },
  });
});

test('a property that documents leave out has its default on the other side of a change', (t) => {
  const documentOf = (searchable: object) => processOf([task('A', { fields: [field('f', searchable)] })]);
  const [change] = diff(documentOf({}), documentOf({ searchable: true }));
  t.like(change, { kind: 'CHANGED', before: { searchable: false }, after: { searchable: true } });
  t.deepEqual(diff(documentOf({}), documentOf({ searchable: false, dataSource: null })), []);
});

test('options and dependencies that a draft repeats are told apart by their order', (t) => {
  const documentOf = (keys: string[], dependencies: string[]) =>
    processOf([task('A', { dependencies, fields: [field('f', { options: options(...keys) })] })]);
  const changes = diff(documentOf(['s', 's', 'm'], ['x', 'x']), documentOf(['s', 'm', 's'], ['x']));
  t.deepEqual(summary(changes), ['MOVED OPTION A > f > M', 'REMOVED DEPENDENCY A waits for x']);
});
