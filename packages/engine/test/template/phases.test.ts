import { addPhase, emptyProcess, removePhase, updatePhase } from '@runward/engine';
import test from 'ava';
import { phase, processOf, task } from '../support/documents.ts';
import { edited, rejectionOf } from '../support/edits.ts';

const document = processOf([task('pack', { phaseId: 'phase-b' }), task('ship', { phaseId: 'phase-c' })], {
  phases: [phase('a', { description: 'first' }), phase('b'), phase('c')],
});
const order = (result: Parameters<typeof edited>[0]) => edited(result).document.phases.map(({ name }) => name);

test('a new phase is added at the end', (t) => {
  const first = edited(addPhase(emptyProcess, 'p1', { name: 'Prepare' }));
  t.deepEqual(first.value, { id: 'p1', name: 'Prepare', description: null });
  const second = edited(addPhase(first.document, 'p2', { name: 'Do', description: 'the work' }));
  t.deepEqual(second.document.phases, [first.value, { id: 'p2', name: 'Do', description: 'the work' }]);
});

test('an update leaves omitted properties unchanged', (t) => {
  const renamed = edited(updatePhase(document, 'phase-a', { name: 'x', description: undefined }));
  t.deepEqual(renamed.value, { id: 'phase-a', key: 'a', name: 'x', description: 'first' });
  t.deepEqual(renamed.document, { ...document, phases: [renamed.value, ...document.phases.slice(1)] });
  t.is(edited(updatePhase(document, 'phase-a', { description: null })).value.description, null);
  t.deepEqual(edited(updatePhase(document, 'phase-a', {})).document, document);
});

test('a phase moves to the given position, or to the end if the position is past it', (t) => {
  t.deepEqual(order(updatePhase(document, 'phase-a', { position: 0 })), ['a', 'b', 'c']);
  t.deepEqual(order(updatePhase(document, 'phase-a', { position: 1 })), ['b', 'a', 'c']);
  t.deepEqual(order(updatePhase(document, 'phase-c', { position: 0, name: 'z' })), ['z', 'a', 'b']);
  t.deepEqual(order(updatePhase(document, 'phase-a', { position: 99 })), ['b', 'c', 'a']);
});

test('removing a phase keeps its tasks without a phase', (t) => {
  const { document: left } = edited(removePhase(document, 'phase-b'));
  t.deepEqual(
    left.phases.map(({ id }) => id),
    ['phase-a', 'phase-c'],
  );
  t.deepEqual(
    left.tasks.map(({ title, phaseId }) => [title, phaseId]),
    [
      ['pack', null],
      ['ship', 'phase-c'],
    ],
  );
});

test('an edit of an unknown phase is rejected as not found', (t) => {
  const missing = { reason: 'not_found', message: 'Phase' } as const;
  t.deepEqual(rejectionOf(updatePhase(document, 'phase-x', { name: 'x' })), missing);
  t.deepEqual(rejectionOf(removePhase(document, 'phase-x')), missing);
});
