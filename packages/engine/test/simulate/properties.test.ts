import { formats } from '@runward/contract';
import { decide, launch, validate, type ProcessDocument } from '@runward/engine';
import test from 'ava';
import * as fc from 'fast-check';
import { commandOf, launchedAt, steps } from '../support/arbitraries.ts';
import { environmentAt } from '../support/calendar.ts';
import { documents } from '../support/document-arbitraries.ts';
import { accepted, launchCommand } from '../support/run.ts';
import { everyCombination, isFinished, simulated, type Combination } from '../support/simulation-model.ts';

/** Documents whose rules read so few fields that every combination of values can be tried. */
const small = documents.filter((document) => {
  const read = document.tasks.flatMap(({ rules }) => rules.flatMap(({ conditions }) => conditions));
  return (
    read.length <= 6 && validate(document, formats).every((problem) => problem.includes('cannot be filled in yet'))
  );
});

function visibleIn(document: ProcessDocument, { rules: { hidden } }: Combination): string[] {
  const tasks = document.tasks.filter(({ id }) => !hidden.has(id));
  const fields = tasks.flatMap((task) => task.fields.map(({ id }) => id).filter((id) => !hidden.has(id)));
  return [...tasks.map(({ id }) => id), ...fields];
}

function neverVisibleIn(document: ProcessDocument): Set<string> {
  const never = new Set<string>();
  for (const { kind, severity, taskId, fieldId } of simulated(document).findings) {
    if (kind === 'FIELD_NEVER_VISIBLE' && fieldId !== null) never.add(fieldId);
    if (kind !== 'TASK_NEVER_VISIBLE' || taskId === null || severity !== 'ERROR') continue;
    never.add(taskId);
    for (const { id } of document.tasks.find((task) => task.id === taskId)?.fields ?? []) never.add(id);
  }
  return never;
}

test('the simulation finds exactly those tasks and fields unreachable that no combination of values makes visible', (t) => {
  let unreachable = 0;
  fc.assert(
    fc.property(small, (document) => {
      const seen = new Set(everyCombination(document).flatMap((combination) => visibleIn(document, combination)));
      const all = document.tasks.flatMap((task) => [task.id, ...task.fields.map(({ id }) => id)]);
      const never = all.filter((id) => !seen.has(id));
      unreachable += never.length;
      return never.toSorted().join() === [...neverVisibleIn(document)].toSorted().join();
    }),
    { numRuns: 200 },
  );
  t.true(unreachable > 0);
});

test('the paths of the simulation are exactly the outcomes of the combinations in which a run can end', (t) => {
  let most = 0;
  fc.assert(
    fc.property(small, (document) => {
      const { paths, complete, pathCount } = simulated(document);
      const wanted = everyCombination(document)
        .filter((combination) => isFinished(document, combination))
        .map(({ rules }) => {
          const hiddenTasks = document.tasks.filter(({ id }) => rules.hidden.has(id)).map(({ id }) => id);
          const shown = document.tasks.filter(({ id }) => !rules.hidden.has(id));
          const hiddenFields = shown.flatMap(({ fields }) => fields.filter(({ id }) => rules.hidden.has(id)));
          const assigned = shown.filter(({ id, assigneeId }) => rules.assignees.get(id) !== assigneeId);
          return JSON.stringify([hiddenTasks, hiddenFields.map(({ id }) => id).sort(), assigned.map(({ id }) => id)]);
        });
      const found = paths.map(({ hiddenTaskIds, hiddenFieldIds, assigned }) =>
        JSON.stringify([hiddenTaskIds, hiddenFieldIds.toSorted(), assigned.map(({ taskId }) => taskId)]),
      );
      most = Math.max(most, found.length);
      const isSame = [...new Set(wanted)].sort().join() === [...new Set(found)].sort().join();
      // A run stays open only if optional tasks are left, or if it had no tasks at all.
      const isOptional = (taskId: string) => document.tasks.some(({ id, required }) => id === taskId && !required);
      const end = paths.every((path) => path.completed || path.openTaskIds.every(isOptional));
      return isSame && end && complete && pathCount === paths.length;
    }),
    { numRuns: 200 },
  );
  t.true(most > 2);
});

test('no command makes visible what the simulation finds unreachable', (t) => {
  let unreachable = 0;
  fc.assert(
    fc.property(documents, steps, (document, steps) => {
      const never = neverVisibleIn(document);
      unreachable += never.size;
      let { state } = accepted(launch(document, launchCommand(document), environmentAt(launchedAt)));
      for (const [index, step] of steps.entries()) {
        const environment = environmentAt(launchedAt);
        const decision = decide(state, commandOf(step, state, environment.now, String(index)), environment);
        if (!decision.rejection) ({ state } = decision);
        for (const { definition, hidden } of state.tasks) if (!hidden && never.has(definition.id)) return false;
      }
    }),
    { numRuns: 100 },
  );
  t.true(unreachable > 0);
});
