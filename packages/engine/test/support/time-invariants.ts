import assert from 'node:assert/strict';
import type { Fact, RunState } from '@runward/engine';

/** Throws if the times that figures are computed from are not those of the facts. `facts` are all facts of the run. */
export function checkTimes(facts: readonly Fact[], state: RunState): void {
  const overdue = facts.find(({ type }) => type === 'run.overdue');
  assert.equal(state.firstOverdueAt, overdue?.at ?? null, 'a run was first overdue at another time');
  for (const { id, hidden, status, availableAt } of state.tasks) {
    const began = facts.filter((fact) => {
      if (fact.type === 'run.started') return fact.tasks.some(({ runTaskId }) => runTaskId === id);
      if (fact.type === 'run.migrated') {
        return fact.restored.includes(id) || fact.added.some(({ runTaskId }) => runTaskId === id);
      }
      return (fact.type === 'task.unblocked' || fact.type === 'task.shown') && fact.runTaskId === id;
    });
    assert(availableAt === null || began.some(({ at }) => at === availableAt), 'a task is available since no fact');
    const last = began.at(-1);
    if (last?.type === 'task.unblocked')
      assert.equal(availableAt, last.at, 'a task is not available since it was unblocked');
    if (!hidden && status !== 'BLOCKED')
      assert.notEqual(availableAt, null, 'a task that is not blocked is not available');
  }
}
