import { formats } from '@runward/contract';
import {
  addField,
  addPhase,
  addTask,
  addVariable,
  duplicateDocument,
  duplicateTasks,
  emptyProcess,
  limits,
  moveField,
  updateField,
  validate,
  type FieldDefinition,
} from '@runward/engine';
import test from 'ava';
import { field, options, phase, processOf, task, variable } from '../support/documents.ts';
import { counter, edited, rejectionOf } from '../support/edits.ts';

const document = processOf(
  [
    task('a', {
      phaseId: 'phase-y',
      fields: [field('one', { type: 'DROPDOWN', options: options('s') }), field('two')],
    }),
    task('b', { phaseId: 'phase-x' }),
    task('c'),
  ],
  { phases: [phase('x'), phase('y')], variables: [variable('region', 'EU')] },
);

const anonymous = (value: unknown) =>
  JSON.stringify(value, (name, part: unknown) => (name === 'id' || name === 'phaseId' ? undefined : part));

test('a copy of a document has new ids and is otherwise equal', (t) => {
  const copy = duplicateDocument(document, counter());
  const idsOf = ({ phases, tasks, variables }: typeof copy) =>
    [...phases, ...tasks, ...tasks.flatMap((one) => one.fields), ...variables].map(({ id }) => id);
  t.is(new Set([...idsOf(copy), ...idsOf(document)]).size, 16);
  const phaseNames = copy.tasks.map((one) => copy.phases.find(({ id }) => id === one.phaseId)?.name);
  t.deepEqual(phaseNames, ['y', 'x', undefined]);
  t.is(anonymous(copy), anonymous(document));
  t.deepEqual(validate(copy, formats), []);
});

test('a valid document has no problems', (t) => t.deepEqual(validate(document, formats), []));

test('a document without tasks cannot be published', (t) => {
  t.deepEqual(validate(emptyProcess, formats), ['The template has no tasks; add at least one.']);
});

const dropdown = (key: string, ...choices: string[]) => field(key, { type: 'DROPDOWN', options: options(...choices) });

test('every problem of a document is listed', (t) => {
  const invalid = processOf(
    [
      task('a', { phaseId: 'gone', fields: [dropdown('one'), field('two'), field('two', { label: 'Two' })] }),
      task('b', { assigneeId: 'ada', assigneeGroupId: 'drivers', fields: [field('two', { label: 'II' })] }),
      task('c', { fields: [dropdown('three', 's', 'm', 's')] }),
    ],
    { variables: [variable('region'), variable('Region'), variable('region')] },
  );
  t.deepEqual(validate(invalid, formats), [
    'The task "a" is in a phase that does not exist; move it to another phase or to none.',
    'The DROPDOWN field "one" of the task "a" has no options; add at least one.',
    'The task "b" is assigned to both a user and a group; clear one of them.',
    'The field "three" of the task "c" repeats the option key "s"; remove one.',
    'The fields "two", "Two", "II" have the same key "two"; give each field its own key.',
    'More than one flow variable has the key "region"; rename or remove the others.',
  ]);
});

test('a required field without a data source to look up rows in is listed', (t) => {
  const lookup = field('supplier', { type: 'DATA_SOURCE', required: true });
  t.deepEqual(validate(processOf([task('a', { fields: [lookup] })]), formats), [
    'The field "supplier" of the task "a" is required, but has no data source to look up rows in; set its dataSource, or make it optional.',
  ]);
  const optional = { ...lookup, required: false };
  const named = { ...lookup, dataSource: { dataSourceId: 'source', labelColumnId: 'name', autoFill: [] } };
  t.deepEqual(validate(processOf([task('a', { fields: [optional] })]), formats), []);
  t.deepEqual(validate(processOf([task('a', { fields: [named] })]), formats), []);
});

test('a look-up that fills a field twice is listed', (t) => {
  const autoFill = ['name', 'city'].map((columnId) => ({ columnId, fieldId: 'field-two' }));
  const lookup = field('one', { type: 'DATA_SOURCE' });
  const dataSource = { dataSourceId: 'source', labelColumnId: 'name', autoFill };
  t.deepEqual(validate(processOf([task('a', { fields: [{ ...lookup, dataSource }, field('two')] })]), formats), [
    'The field "one" of the task "a": dataSource.autoFill[1].fieldId: an earlier entry fills the field "two" already; remove one of them.',
  ]);
});

const many = <T>(count: number, part: (name: string) => T) => Array.from({ length: count }, (_, n) => part(`n${n}`));
const tooMany = (kind: string, count: number, most: number) => ({
  reason: 'invalid' as const,
  message: `The template would have ${count} ${kind}, but it can have at most ${most}; remove some first.`,
});

test('an edit that exceeds the number of phases, tasks or variables is rejected', (t) => {
  const full = processOf(many(500, task), { phases: many(99, phase), variables: many(199, variable) });
  const { document: one } = edited(addPhase(full, 'last', { name: 'x' }));
  t.deepEqual(rejectionOf(addPhase(one, 'over', { name: 'x' })), tooMany('phases', 101, 100));
  const { document: two } = edited(addVariable(full, 'last', { key: 'x' }, formats));
  t.deepEqual(rejectionOf(addVariable(two, 'over', { key: 'y' }, formats)), tooMany('variables', 201, 200));
  t.deepEqual(rejectionOf(addTask(full, 'over', { title: 'x' })), tooMany('tasks', 501, 500));
  t.deepEqual(rejectionOf(duplicateTasks(full, ['task-n0', 'task-n1'], counter())), tooMany('tasks', 502, 500));
  t.is(edited(addTask(processOf(many(499, task)), 'last', { title: 'x' })).document.tasks.length, limits.tasks);
});

test('an edit that exceeds the number of fields of a task or a document is rejected', (t) => {
  const fieldsOf = (name: string, count: number): FieldDefinition[] => many(count, (n) => field(`${name}-${n}`));
  const crowded = processOf([task('a', { fields: fieldsOf('a', 99) }), task('b', { fields: fieldsOf('b', 1) })]);
  const text = { label: 'x', type: 'TEXT' } as const;
  const { document: full } = edited(addField(crowded, 'task-a', 'last', text));
  const over = {
    reason: 'invalid' as const,
    message:
      'The task "a" would have 101 fields, but a task can have at most 100; use another task or remove fields first.',
  };
  t.deepEqual(rejectionOf(addField(full, 'task-a', 'over', text)), over);
  t.deepEqual(rejectionOf(moveField(full, 'task-b', 'field-b-n0', { targetTaskId: 'task-a' })), over);
  edited(moveField(full, 'task-a', 'field-a-n0', { targetTaskId: 'task-a' }));

  const packed = processOf([...many(20, (name) => task(name, { fields: fieldsOf(name, 100) })), task('last')]);
  t.deepEqual(rejectionOf(addField(packed, 'task-last', 'over', text)), tooMany('fields', 2001, 2000));
  t.deepEqual(rejectionOf(duplicateTasks(packed, ['task-n0'], counter())), tooMany('fields', 2100, 2000));
});

test('an edit that exceeds the number of options of a document is rejected', (t) => {
  const options = many(200, (key) => ({ key, label: key }));
  const fields = many(26, (name) =>
    field(name, { type: 'DROPDOWN', options: options.slice(0, name === 'n25' ? 1 : 200) }),
  );
  const crowded = processOf([task('a', { fields: fields.slice(1) })]);
  const { document: full } = edited(updateField(crowded, 'task-a', 'field-n25', { options }));
  const rejection = tooMany('options', 5001, 5000);
  const added = { label: 'x', type: 'DROPDOWN', options: options.slice(0, 1) } as const;
  t.deepEqual(rejectionOf(addField(full, 'task-a', 'over', added)), rejection);
});
