import { addField, moveField, removeField, updateField, type Edited } from '@runward/engine';
import test from 'ava';
import { field, options, processOf, task } from '../support/documents.ts';
import { edited, rejectionOf } from '../support/edits.ts';

const document = processOf([
  task('a', { fields: [field('one'), field('two', { type: 'DROPDOWN', options: options('s', 'm') }), field('three')] }),
  task('b', { fields: [field('four')] }),
]);
const keys = (result: Edited<unknown>) =>
  edited(result).document.tasks.map(({ fields }) => fields.map(({ key }) => key).join(' '));
const keyOf = (label: string, in_ = document) =>
  edited(addField(in_, 'task-a', 'new', { label, type: 'TEXT' })).value.key;

test('a new field is optional and is added at the end of its task', (t) => {
  const { document: next, value } = edited(addField(document, 'task-b', 'new', { label: 'Your name', type: 'TEXT' }));
  t.deepEqual(value, {
    id: 'new',
    key: 'your_name',
    label: 'Your name',
    type: 'TEXT',
    required: false,
    helpText: null,
    options: [],
  });
  t.deepEqual(next.tasks[1]?.fields.at(-1), value);
  t.deepEqual(next.tasks[0], document.tasks[0]);

  const said = {
    label: 'x',
    type: 'MULTI_SELECT',
    required: true,
    key: 'X-1',
    helpText: 'h',
    options: options('a'),
  } as const;
  t.deepEqual(edited(addField(document, 'task-b', 'new', said)).value, { id: 'new', ...said });
});

const labels: [label: string, key: string][] = [
  ['Größe (cm)', 'grosse_cm'],
  ['  Éléphant – à côté!  ', 'elephant_a_cote'],
  ['firstName', 'firstname'],
  ['a__b--c', 'a_b_c'],
  ['2nd line', 'field_2nd_line'],
  ['日本語', 'field'],
  ['😀 ☎', 'field'],
  ['___', 'field'],
  ['ﬁle № 5', 'file_no_5'],
  ['a'.repeat(255), 'a'.repeat(64)],
  [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
];
for (const [label, key] of labels) {
  test(`the label "${label.slice(0, 70)}" gives the key ${key}`, (t) => t.is(keyOf(label), key));
}

test('a key made from a label gets the first free number if it is taken', (t) => {
  t.is(keyOf('One'), 'one_2');
  t.is(keyOf('Four'), 'four_2');
  t.is(keyOf('One', processOf([task('a', { fields: [field('one'), field('one_2'), field('ONE_3')] })])), 'one_3');
  const long = 'a'.repeat(64);
  t.is(keyOf(long, processOf([task('a', { fields: [field(long)] })])), `${'a'.repeat(62)}_2`);
});

test('a key that another field of the template has is rejected', (t) => {
  const message = 'key: the field "four" already has the key "four"; choose another key';
  t.is(rejectionOf(addField(document, 'task-a', 'new', { label: 'x', type: 'TEXT', key: 'four' })).message, message);
  t.deepEqual(rejectionOf(updateField(document, 'task-a', 'field-one', { key: 'four' })), {
    reason: 'invalid',
    message,
  });
  t.is(edited(updateField(document, 'task-b', 'field-four', { key: 'four' })).value.key, 'four');
  t.is(edited(updateField(document, 'task-a', 'field-one', { key: 'Four' })).value.key, 'Four');
});

const add = (type: 'TEXT' | 'DROPDOWN' | 'MULTI_SELECT', keys?: string[]) =>
  addField(document, 'task-a', 'new', { label: 'x', type, options: keys && options(...keys) });

test('options are required for DROPDOWN and MULTI_SELECT and rejected for other types', (t) => {
  for (const type of ['DROPDOWN', 'MULTI_SELECT'] as const) {
    const needed = `options: a ${type} field needs at least one option; send [{ "key", "label" }]`;
    t.deepEqual(rejectionOf(add(type)), { reason: 'invalid', message: needed });
    t.is(rejectionOf(add(type, [])).message, needed);
    t.deepEqual(edited(add(type, ['s'])).value.options, options('s'));
  }
  t.regex(
    rejectionOf(add('TEXT', ['s'])).message,
    /^options: a TEXT field cannot have options; omit them, or use DROPDOWN or MULTI_SELECT$/,
  );
  t.deepEqual(edited(add('TEXT', [])).value.options, []);
});

test('an update leaves omitted properties unchanged', (t) => {
  const changes = { label: 'Uno', required: true, helpText: undefined, key: undefined };
  const { document: next, value } = edited(updateField(document, 'task-a', 'field-one', changes));
  t.deepEqual(value, field('one', { label: 'Uno', required: true }));
  t.deepEqual(next.tasks[0]?.fields, [value, ...(document.tasks[0]?.fields.slice(1) ?? [])]);
});

test('changing the type of a field removes or requires options', (t) => {
  const update = (changes: Parameters<typeof updateField>[3]) => updateField(document, 'task-a', 'field-two', changes);
  t.deepEqual(edited(update({ type: 'MULTI_SELECT' })).value.options, options('s', 'm'));
  t.deepEqual(edited(update({ type: 'NUMBER' })).value.options, []);
  t.deepEqual(edited(update({ options: options('l') })).value.options, options('l'));
  t.regex(
    rejectionOf(update({ type: 'TEXT', options: options('l') })).message,
    /^options: a TEXT field cannot have options/,
  );
  t.regex(rejectionOf(update({ options: [] })).message, /^options: a DROPDOWN field needs at least one/);
  t.regex(
    rejectionOf(updateField(document, 'task-a', 'field-one', { type: 'DROPDOWN' })).message,
    /^options: a DROPDOWN/,
  );
  const chosen = updateField(document, 'task-a', 'field-one', { type: 'DROPDOWN', options: options('x') });
  t.like(edited(chosen).value, { type: 'DROPDOWN', options: options('x') });
});

test('a field can be moved within its task', (t) => {
  t.deepEqual(keys(updateField(document, 'task-a', 'field-three', { position: 0 })), ['three one two', 'four']);
  t.deepEqual(keys(updateField(document, 'task-a', 'field-one', { position: 9, key: 'x' })), ['two three x', 'four']);
  const move = (position?: number) => moveField(document, 'task-a', 'field-one', { targetTaskId: 'task-a', position });
  t.deepEqual(keys(move(1)), ['two one three', 'four']);
  t.deepEqual(keys(move()), ['two three one', 'four']);
});

test('a field moved to another task keeps its id', (t) => {
  const move = (position?: number) => moveField(document, 'task-a', 'field-two', { targetTaskId: 'task-b', position });
  t.deepEqual(keys(move()), ['one three', 'four two']);
  t.deepEqual(keys(move(0)), ['one three', 'two four']);
  t.deepEqual(keys(move(9)), ['one three', 'four two']);
  t.deepEqual(edited(move()).value, document.tasks[0]?.fields[1] ?? field(''));
  t.deepEqual(rejectionOf(moveField(document, 'task-a', 'field-two', { targetTaskId: 'task-x' })), {
    reason: 'invalid',
    message: 'targetTaskId: the template has no task task-x; use the id of one of its tasks',
  });
});

test('removing a field leaves the others in order', (t) => {
  t.deepEqual(keys(removeField(document, 'task-a', 'field-two')), ['one three', 'four']);
});

test('an edit of an unknown task or field, or of a field of another task, is rejected as not found', (t) => {
  const target = { targetTaskId: 'task-b' };
  const noTask = { reason: 'not_found', message: 'Task' } as const;
  t.deepEqual(rejectionOf(addField(document, 'task-x', 'new', { label: 'x', type: 'TEXT' })), noTask);
  t.deepEqual(rejectionOf(updateField(document, 'task-x', 'field-one', {})), noTask);
  t.deepEqual(rejectionOf(moveField(document, 'task-x', 'field-one', target)), noTask);
  t.deepEqual(rejectionOf(removeField(document, 'task-x', 'field-one')), noTask);
  const noField = { reason: 'not_found', message: 'Field' } as const;
  t.deepEqual(rejectionOf(updateField(document, 'task-b', 'field-one', {})), noField);
  t.deepEqual(rejectionOf(moveField(document, 'task-b', 'field-one', target)), noField);
  t.deepEqual(rejectionOf(removeField(document, 'task-b', 'field-one')), noField);
});
