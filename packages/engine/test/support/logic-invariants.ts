import assert from 'node:assert/strict';
import { isRetired, variablesOf, type RunState } from '@runward/engine';
import { rulesApplied } from './rule-model.ts';

/** Throws unless incremental evaluation has the same result as evaluating all rules. */
export function rulesAreApplied(state: RunState): void {
  const { hidden, variables, assignees } = rulesApplied(state.document, state);
  assert.deepEqual(variablesOf(state), variables, 'a variable has another value than the rules give it');
  for (const task of state.tasks) {
    if (isRetired(task)) continue;
    const { definition, hiddenFieldIds, assigneeId, assignedManually } = task;
    assert.equal(task.hidden, hidden.has(definition.id), 'a task is hidden, or shown, against the rules');
    const fields = definition.fields.map(({ id }) => id).filter((id) => hidden.has(id));
    assert.deepEqual(hiddenFieldIds.toSorted(), fields.toSorted(), 'a field is hidden, or shown, against the rules');
    if (!assignedManually)
      assert.equal(assigneeId, assignees.get(definition.id), 'a task is assigned against the rules');
  }
}

/** Throws unless exactly the tasks that wait for open tasks are BLOCKED. */
export function blockedTasksWait(state: RunState): void {
  for (const { definition, status, forceUnblocked } of state.tasks) {
    const waits = state.tasks.some(
      (other) => definition.dependencies.includes(other.definition.id) && !other.hidden && other.status !== 'COMPLETED',
    );
    if (status !== 'COMPLETED') assert.equal(status === 'BLOCKED', waits && !forceUnblocked);
  }
}
