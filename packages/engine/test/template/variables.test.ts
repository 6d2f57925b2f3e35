import { formats } from '@runward/contract';
import { addVariable, removeVariable, updateVariable } from '@runward/engine';
import test from 'ava';
import { processOf, variable } from '../support/documents.ts';
import { edited, rejectionOf } from '../support/edits.ts';

const document = processOf([], { variables: [variable('region', 'EU')] });

test('a flow variable can be added, changed and removed', (t) => {
  const added = edited(addVariable(document, 'new', { key: 'rush' }, formats));
  t.deepEqual(added.value, { id: 'new', key: 'rush', name: null, type: 'TEXT', description: null, defaultValue: null });
  t.deepEqual(added.document.variables, [...document.variables, added.value]);
  const said = { key: 'rush', description: 'hurry', defaultValue: false };
  t.deepEqual(edited(addVariable(document, 'new', said, formats)).value, {
    id: 'new',
    name: null,
    type: 'BOOLEAN',
    ...said,
  });

  const update = (changes: Parameters<typeof updateVariable>[2]) =>
    edited(updateVariable(document, 'variable-region', changes, formats)).value;
  t.deepEqual(update({ description: 'where' }), { ...variable('region', 'EU'), description: 'where' });
  t.deepEqual(update({ key: 'area', defaultValue: null }), { ...variable('region'), key: 'area' });
  t.deepEqual(update({ key: 'region', defaultValue: undefined }), variable('region', 'EU'));
  t.deepEqual(edited(removeVariable(added.document, 'variable-region')).document.variables, [added.value]);
});

test('a mark is stored only while it is set', (t) => {
  const marks = (changes: Parameters<typeof updateVariable>[2]) => {
    const { document: next, value } = edited(updateVariable(document, 'variable-region', changes, formats));
    return [value, edited(updateVariable(next, 'variable-region', { required: false }, formats)).value];
  };
  t.deepEqual(marks({ required: true }), [{ ...variable('region', 'EU'), required: true }, variable('region', 'EU')]);
  t.deepEqual(marks({ required: false }), [variable('region', 'EU'), variable('region', 'EU')]);
  t.false('required' in edited(addVariable(document, 'new', { key: 'rush', required: false }, formats)).value);
});

test('each mark of a flow variable is removed by itself', (t) => {
  const marks = { searchable: true, shownToGuests: true };
  const added = edited(addVariable(document, 'new', { key: 'rush', ...marks }, formats));
  t.like(added.value, marks);
  const change = (changes: Parameters<typeof updateVariable>[2]) =>
    edited(updateVariable(added.document, 'new', changes, formats)).value;
  const { searchable: _, ...shown } = added.value;
  t.deepEqual(change({ searchable: false }), shown);
  const { shownToGuests: __, ...unmarked } = shown;
  t.deepEqual(change({ searchable: false, shownToGuests: false }), unmarked);
});

test('a key that another flow variable has is rejected', (t) => {
  const taken = {
    reason: 'invalid' as const,
    message: 'key: the template already has a flow variable "region"; choose another key',
  };
  t.deepEqual(rejectionOf(addVariable(document, 'new', { key: 'region' }, formats)), taken);
  const { document: two } = edited(addVariable(document, 'new', { key: 'Region' }, formats));
  t.deepEqual(rejectionOf(updateVariable(two, 'new', { key: 'region' }, formats)), taken);
});

test('an edit of an unknown flow variable is rejected as not found', (t) => {
  const missing = { reason: 'not_found', message: 'Variable' } as const;
  t.deepEqual(rejectionOf(updateVariable(document, 'x', {}, formats)), missing);
  t.deepEqual(rejectionOf(removeVariable(document, 'x')), missing);
});
