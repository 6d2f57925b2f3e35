import { formats } from '@runward/contract';
import {
  addField,
  addPhase,
  addTask,
  addVariable,
  emptyProcess,
  replaceDocument,
  type DocumentInput,
  type ProcessDocument,
  type Replaced,
  type TaskDefinition,
} from '@runward/engine';
import test from 'ava';
import * as fc from 'fast-check';
import { field, options, phase, processOf, task, variable } from '../support/documents.ts';
import { counter, edited } from '../support/edits.ts';

const document = processOf(
  [
    task('a', {
      phaseId: 'phase-x',
      fields: [field('one'), field('two', { type: 'DROPDOWN', options: options('s') })],
    }),
    task('b', { assigneeId: 'ada', due: { from: 'LAUNCH', offset: 'P1D', hasTime: false } }),
  ],
  { phases: [phase('x'), phase('y', { description: 'Y' })], variables: [variable('region', 'EU')] },
);

function documentOf(result: Replaced): ProcessDocument {
  if ('problems' in result) throw new Error(`The document was rejected: ${result.problems.join(' ')}`);
  return result.document;
}

const problemsOf = (result: Replaced) => ('problems' in result ? result.problems : []);
const empty: DocumentInput = { phases: [], tasks: [], variables: [] };

const text = fc.string({ minLength: 1, maxLength: 8 });
const shapes = fc.record({
  phases: fc.array(fc.record({ name: text, description: fc.option(text) }), { maxLength: 4 }),
  tasks: fc.array(
    fc.record({
      title: text,
      phase: fc.nat({ max: 4 }),
      required: fc.boolean(),
      repeatable: fc.boolean(),
      assignee: fc.constantFrom({ assigneeId: 'ada' }, { assigneeGroupId: 'drivers' }, {}),
      due: fc.option(
        fc.record({
          from: fc.constantFrom('LAUNCH' as const, 'UNBLOCKED' as const),
          offset: fc.constant('P1D'),
          hasTime: fc.boolean(),
        }),
      ),
      fields: fc.array(
        fc.record({
          label: text,
          type: fc.constantFrom('TEXT' as const, 'DROPDOWN' as const),
          required: fc.boolean(),
          helpText: fc.option(text),
        }),
        { maxLength: 4 },
      ),
    }),
    { maxLength: 6 },
  ),
  variables: fc.array(fc.record({ defaultValue: fc.constantFrom(null, 1, true, 'x') }), { maxLength: 3 }),
});

/** Documents with phases, forms and variables, built by single edits. */
const documents = shapes.map(({ phases, tasks, variables }) => {
  const newId = counter();
  let built = emptyProcess;
  for (const each of phases) built = edited(addPhase(built, newId(), each)).document;
  for (const { fields, phase, assignee, ...each } of tasks) {
    const id = newId();
    const settings = { ...each, ...assignee, phaseId: built.phases[phase]?.id ?? null };
    built = edited(addTask(built, id, settings)).document;
    for (const one of fields) {
      const choices = one.type === 'DROPDOWN' ? { options: options('s', 'm') } : {};
      built = edited(addField(built, id, newId(), { ...one, ...choices })).document;
    }
  }
  for (const [index, each] of variables.entries()) {
    built = edited(addVariable(built, newId(), { key: `v${index}`, ...each }, formats)).document;
  }
  return built;
});

/** A document whose parts have no ids and name their phases. */
function anonymous({ phases, tasks, variables }: ProcessDocument): DocumentInput {
  const nameOf = (id: string | null) => (id === null ? null : `new:${phases.findIndex((each) => each.id === id)}`);
  return {
    phases: phases.map(({ name, description }, index) => ({ id: `new:${index}`, name, description })),
    tasks: tasks.map(({ id: _, phaseId, fields, ...rest }) => ({
      ...rest,
      phaseId: nameOf(phaseId),
      fields: fields.map(({ id: __, ...each }) => each),
    })),
    variables: variables.map(({ id: _, ...each }) => each),
  };
}

const idsOf = ({ phases, tasks, variables }: ProcessDocument) =>
  [...phases, ...tasks, ...tasks.flatMap(({ fields }) => fields), ...variables].map(({ id }) => id);

test('replacing a document by itself changes nothing', (t) => {
  fc.assert(
    fc.property(documents, (before) => {
      const newId = () => {
        throw new Error('A part was created.');
      };
      t.deepEqual(documentOf(replaceDocument(before, before, newId, formats)), before);
    }),
  );
});

test('a document without ids gives the same document with new ids, as single edits would', (t) => {
  fc.assert(
    fc.property(documents, documents, (before, wanted) => {
      let count = 0;
      const after = documentOf(replaceDocument(before, anonymous(wanted), () => `fresh-${++count}`, formats));
      t.deepEqual(anonymous(after), anonymous(wanted));
      t.is(new Set(idsOf(after)).size, idsOf(after).length);
      t.true(idsOf(after).every((id) => id.startsWith('fresh-')));
    }),
  );
});

test('parts that are reordered or moved to another task keep their ids', (t) => {
  fc.assert(
    fc.property(documents, fc.infiniteStream(fc.nat()), (before, numbers) => {
      const pick = () => numbers.next().value ?? 0;
      const shuffled = <Part>(parts: readonly Part[]) =>
        parts
          .map((part) => [pick(), part] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, part]) => part);
      const fields = shuffled(before.tasks.flatMap((each) => each.fields));
      const homes = fields.map(() => pick() % Math.max(before.tasks.length, 1));
      const withFieldsOf = (each: TaskDefinition, index: number): TaskDefinition => ({
        ...each,
        fields: fields.filter((_, n) => homes[n] === index),
      });
      const wanted = {
        phases: shuffled(before.phases),
        tasks: shuffled(before.tasks).map(withFieldsOf),
        variables: shuffled(before.variables),
      };
      t.deepEqual(documentOf(replaceDocument(before, wanted, counter(), formats)), wanted);
    }),
  );
});

test('parts that the new document does not have are deleted', (t) => {
  t.deepEqual(documentOf(replaceDocument(document, empty, counter(), formats)), emptyProcess);
  const wanted = { ...document, phases: [phase('y')], tasks: [task('b')] };
  t.deepEqual(documentOf(replaceDocument(document, wanted, counter(), formats)), wanted);
});

test('absent properties have the default of a new part; a part keeps its key', (t) => {
  const wanted: DocumentInput = {
    phases: [{ id: 'phase-y', name: 'Y' }],
    tasks: [
      {
        id: 'task-b',
        title: 'B',
        fields: [
          { id: 'field-two', label: 'Second', type: 'TEXT' },
          { label: 'Two', type: 'TEXT' },
        ],
      },
      { id: 'task-a', title: 'A' },
    ],
    variables: [{ id: 'variable-region', key: 'area' }],
  };
  t.deepEqual(documentOf(replaceDocument(document, wanted, counter(), formats)), {
    phases: [phase('y', { key: 'y', name: 'Y' })],
    tasks: [
      task('b', {
        key: 'b',
        title: 'B',
        fields: [field('two', { label: 'Second' }), { ...field('two_2', { label: 'Two' }), id: 'new-1' }],
      }),
      task('a', { key: 'a', title: 'A' }),
    ],
    variables: [{ ...variable('area'), id: 'variable-region' }],
  });
});

test('a key made from a label avoids the keys that later fields have', (t) => {
  const fields = [
    { label: 'Size', type: 'TEXT' as const },
    { label: 'Size', type: 'TEXT' as const },
    { label: 'Other', type: 'TEXT' as const, key: 'size' },
  ];
  const after = documentOf(
    replaceDocument(emptyProcess, { ...empty, tasks: [{ title: 'A', fields }] }, counter(), formats),
  );
  t.deepEqual(
    after.tasks[0]?.fields.map(({ key }) => key),
    ['size_2', 'size_3', 'size'],
  );
});

test('every problem of a document is listed with its path', (t) => {
  const wanted: DocumentInput = {
    phases: [
      { id: 'phase-x', name: 'X' },
      { id: 'phase-x', name: 'Again' },
      { id: 'task-a', name: 'No phase' },
    ],
    tasks: [
      { id: 'task-gone', title: 'A', phaseId: 'phase-y', assigneeId: 'ada', assigneeGroupId: 'drivers' },
      { id: 'new:b', title: 'B', phaseId: 'new:gone', fields: [{ label: 'One', type: 'DROPDOWN', key: 'one' }] },
      {
        title: 'C',
        fields: [
          { id: 'field-gone', label: 'Uno', type: 'TEXT', key: 'one', options: options('s') },
          { id: 'field-two', label: 'Two', type: 'TEXT' },
          { id: 'field-two', label: 'Two', type: 'TEXT', key: 'other' },
        ],
      },
    ],
    variables: [{ key: 'region' }, { key: 'region' }],
  };
  t.deepEqual(problemsOf(replaceDocument(document, wanted, counter(), formats)), [
    'phases[1].id: phases[0] already has the id phase-x; use each id once',
    'phases[2].id: the draft has no phase task-a; omit the id to create a phase',
    'tasks[0].id: the draft has no task task-gone; omit the id to create a task',
    'tasks[0].phaseId: the template has no phase with the id phase-y; create it first or send null',
    'tasks[0].assigneeId: the task "A" cannot have both a user and a group; send null as assigneeGroupId as well',
    'tasks[1].phaseId: the template has no phase with the id new:gone; create it first or send null',
    'tasks[2].fields[0].id: the draft has no field field-gone; omit the id to create a field',
    'tasks[2].fields[2].id: tasks[2].fields[1] already has the id field-two; use each id once',
    'tasks[1].fields[0].options: a DROPDOWN field needs at least one option; send [{ "key", "label" }]',
    'tasks[2].fields[0].key: the field "One" already has the key "one"; choose another key',
    'tasks[2].fields[0].options: a TEXT field cannot have options; omit them, or use DROPDOWN or MULTI_SELECT',
    'variables[1].key: the template already has a flow variable "region"; choose another key',
  ]);
});

test('a document that exceeds limits is rejected with each of them', (t) => {
  const many = <Part>(count: number, part: (index: number) => Part) =>
    Array.from({ length: count }, (_, index) => part(index));
  const fields = many(101, (index) => ({ label: `F${index}`, type: 'TEXT' as const }));
  const wanted: DocumentInput = {
    phases: many(101, () => ({ name: 'P' })),
    tasks: [{ title: 'Long', fields }, ...many(500, () => ({ title: 'T' }))],
    variables: many(201, (index) => ({ key: `v${index}` })),
  };
  t.deepEqual(problemsOf(replaceDocument(document, wanted, counter(), formats)), [
    'tasks[0].fields: the task "Long" would have 101 fields, but a task can have at most 100; use another task or remove fields first',
    'phases: the template would have 101 phases, but it can have at most 100; remove some first',
    'tasks: the template would have 501 tasks, but it can have at most 500; remove some first',
    'variables: the template would have 201 variables, but it can have at most 200; remove some first',
  ]);
});
