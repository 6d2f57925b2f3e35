import { formats } from '@runward/contract';
import {
  addPhase,
  addTask,
  duplicateTasks,
  partKeys,
  replaceDocument,
  updateTask,
  type RuleDefinition,
} from '@runward/engine';
import test from 'ava';
import { field, phase, processOf, task, variable } from '../support/documents.ts';
import { counter, edited, rejectionOf } from '../support/edits.ts';

function rule(id: string, changes: Partial<RuleDefinition> = {}): RuleDefinition {
  return {
    id,
    name: null,
    match: 'ALL',
    conditions: [{ source: { type: 'VARIABLE', key: 'region' }, operator: 'IS_EMPTY' }],
    actions: [{ type: 'SET_VARIABLE', key: 'speed', value: 'slow' }],
    ...changes,
  };
}

const document = processOf(
  [
    task('Größe prüfen', { key: 'size', fields: [field('one')], rules: [rule('a'), rule('b', { name: 'Rush!' })] }),
    task('Size', { rules: [rule('c', { name: 'rush' })] }),
    { ...task('Sign'), id: 'sign-1' },
    { ...task('Sign'), id: 'sign-2' },
    task('2nd check'),
    task('確認'),
  ],
  { phases: [phase('Über uns'), phase('Über-uns')], variables: [variable('region'), variable('speed')] },
);
const keysOf = (keys: ReadonlyMap<string, string>) => [...keys.values()];

test('parts without a key have one derived from the name, unique among their kind, after the keys that others have', (t) => {
  const { phases, tasks, rules } = partKeys(document);
  t.deepEqual(keysOf(phases), ['uber-uns', 'uber-uns-2']);
  t.deepEqual(keysOf(tasks), ['size', 'size-2', 'sign', 'sign-2', 'task-2nd-check', 'task']);
  t.deepEqual(keysOf(rules), ['size-rule', 'rush', 'rush-2']);
});

test('a derived key is not the title of another task', (t) => {
  const twins = processOf([task('Pay'), task('pay', { id: 'other' })]);
  t.deepEqual(keysOf(partKeys(twins).tasks), ['pay-2', 'pay']);
});

test('a renamed task keeps the key of its first name, also when it is renamed again and another takes that name', (t) => {
  const once = edited(updateTask(document, 'sign-2', { title: 'Countersign' })).document;
  const twice = edited(updateTask(once, 'sign-2', { title: 'Finish' }));
  t.is(twice.value.key, 'sign-2');
  const { document: grown, value } = edited(addTask(twice.document, 'new', { title: 'Sign 2' }));
  t.is(value.key, undefined);
  t.is(partKeys(grown).tasks.get('new'), 'sign-2-2');
});

test('an update without another name stores no key, and null keeps the key', (t) => {
  t.is(edited(updateTask(document, 'task-Size', { title: 'Size', description: 'x' })).value.key, undefined);
  t.is(edited(updateTask(document, 'task-Größe prüfen', { key: null, title: 'Messen' })).value.key, 'size');
});

test('a key that another part of the kind has is rejected', (t) => {
  const { message } = rejectionOf(updateTask(document, 'sign-1', { key: 'size' }));
  t.is(message, 'key: another task of the template has the key "size"; choose another key');
  t.is(edited(addPhase(document, 'new', { key: 'size', name: 'Size' })).value.key, 'size');
  const same = { key: 'x', name: 'X' };
  const result = replaceDocument(document, { phases: [same, same], tasks: [], variables: [] }, counter(), formats);
  t.deepEqual('problems' in result ? result.problems : [], [
    'phases[0].key: another phase of the template has the key "x"; choose another key',
    'phases[1].key: another phase of the template has the key "x"; choose another key',
  ]);
});

test('the copy of a task and its rules have no keys', (t) => {
  const keyed = processOf([task('A', { key: 'a', rules: [rule('r', { key: 'r' })] })], {
    variables: document.variables,
  });
  const [copy] = edited(duplicateTasks(keyed, ['task-A'], counter())).value;
  t.is(copy?.key, undefined);
  t.deepEqual(
    copy?.rules.map(({ key }) => key),
    [undefined],
  );
});
