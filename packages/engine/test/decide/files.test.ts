import type { FieldType, FieldValue } from '@runward/contract';
import type { CommandOf } from '@runward/engine';
import test from 'ava';
import { field, processOf, task } from '../support/documents.ts';
import { begin, complete, open, submit } from '../support/run.ts';

const document = processOf([
  task('hire', {
    fields: [
      field('papers', { type: 'FILE_UPLOAD', required: true }),
      field('signature', { type: 'SIGNATURE' }),
      field('name'),
    ],
  }),
  task('last'),
]);

const fileId = (number: number) => `01890c3e-5f3a-7cc1-9a56-${String(number).padStart(12, '0')}`;
const place = (key: string, number: number) => ({ entryId: 'e1', fieldId: `field-${key}`, fileId: fileId(number) });
const attach = (key: string, number: number): CommandOf<'attachFile'> => {
  return { type: 'attachFile', ...place(key, number), fieldValueId: `value-${key}`, userId: 'ada' };
};
const remove = (key: string, number: number): CommandOf<'removeFile'> => {
  return { type: 'removeFile', ...place(key, number), userId: 'grace' };
};
const removeInfected = (key: string, number: number): CommandOf<'removeInfected'> => {
  return { type: 'removeInfected', ...place(key, number) };
};

function opened() {
  const run = begin(document);
  run.does(open('hire', 'e1'));
  const value = (key: string): FieldValue | undefined =>
    run.task('hire').entries[0]?.values.find(({ fieldId }) => fieldId === `field-${key}`)?.value;
  return { ...run, value };
}

test('a FILE_UPLOAD field collects files, a SIGNATURE field keeps the last; repeating an attachment changes nothing', (t) => {
  const run = opened();
  for (const number of [1, 2]) t.deepEqual(run.does(attach('papers', number)), ['value.submitted']);
  for (const number of [3, 4]) t.deepEqual(run.does(attach('signature', number)), ['value.submitted']);
  t.deepEqual(run.value('papers'), [fileId(1), fileId(2)]);
  t.is(run.value('signature'), fileId(4));
  t.deepEqual([run.does(attach('papers', 1)), run.does(attach('signature', 4))], [[], []]);
  t.deepEqual(run.does(complete('e1')), ['entry.completed', 'task.completed']);
});

test('a submission reorders and removes attached files, and attaches none', (t) => {
  const run = opened();
  for (const number of [1, 2, 3]) run.does(attach('papers', number));
  run.does(submit('e1', { papers: [fileId(3), fileId(1)] }));
  t.deepEqual(run.value('papers'), [fileId(3), fileId(1)]);
  for (const [key, value] of [
    ['papers', [fileId(1), fileId(2)]],
    ['papers', fileId(9)],
    ['signature', fileId(1)],
  ] as const) {
    const { code, message } = run.rejects(submit('e1', { [key]: value as FieldValue }));
    t.is(code, 'validation_failed');
    t.regex(message, /must only contain files that are attached to it in this entry/);
  }
  run.does(submit('e1', { papers: null }));
  t.is(run.value('papers'), null);
});

test('removing the only file empties the value, and removing a file twice changes nothing', (t) => {
  const run = opened();
  for (const number of [1, 2]) run.does(attach('papers', number));
  t.deepEqual(run.does(remove('papers', 1)), ['value.submitted']);
  t.like(run.facts.at(-1), { userId: 'grace', value: [fileId(2)] });
  t.deepEqual(run.does(remove('papers', 1)), []);
  run.does(remove('papers', 2));
  t.is(run.value('papers'), null);
  t.is(run.rejects(complete('e1')).code, 'required_fields_missing');
});

test('files are attached to visible fields for files, at most 20, while the entry is open', (t) => {
  const run = opened();
  t.regex(run.rejects(attach('name', 1)).message, /"name" is a TEXT field; files can be attached to FILE_UPLOAD/);
  t.regex(run.rejects(attach('other', 1)).message, /has no field field-other/);
  for (let number = 0; number < 20; number += 1) run.does(attach('papers', number));
  t.regex(run.rejects(attach('papers', 20)).message, /"papers" has 20 files, the most a field can have/);
  run.does(complete('e1'));
  t.is(run.rejects(attach('papers', 21)).code, 'task_completed');
  t.is(run.rejects(remove('papers', 1)).code, 'task_completed');
});

test('an infected file is removed from the value of a completed task too, by the service and not by a member', (t) => {
  const run = opened();
  run.does(attach('papers', 1));
  run.does(complete('e1'));
  t.deepEqual(run.does(removeInfected('papers', 1)), ['file.removed']);
  t.like(run.facts.at(-1), { fileId: fileId(1), value: null, reason: 'INFECTED' });
  t.is(run.value('papers'), null);
  t.is(run.task('hire').entries[0]?.values[0]?.submittedByUserId, 'ada');
  t.deepEqual(run.does(removeInfected('papers', 1)), []);
});

test('rules see the removal of an infected file when the run is reopened', (t) => {
  const types: Record<string, FieldType> = { photo: 'IMAGE' };
  const fields = Object.entries(types).map(([key, type]) => field(key, { type }));
  const rule = {
    id: 'rule',
    name: null,
    match: 'ALL' as const,
    conditions: [{ source: { type: 'FIELD' as const, fieldId: 'field-photo' }, operator: 'IS_NOT_EMPTY' as const }],
    actions: [{ type: 'SHOW' as const, taskIds: ['task-check'], fieldIds: [] }],
  };
  const run = begin(processOf([task('take', { fields, rules: [rule] }), task('check', { required: false })]));
  run.does(open('take', 'e1'));
  run.does(attach('photo', 1));
  t.false(run.task('check').hidden);
  run.does(complete('e1'));
  t.is(run.state.status, 'COMPLETED');
  t.deepEqual(run.does(removeInfected('photo', 1)), ['file.removed']);
  t.false(run.task('check').hidden);
  run.does({ type: 'reopen' });
  t.true(run.task('check').hidden);
});
