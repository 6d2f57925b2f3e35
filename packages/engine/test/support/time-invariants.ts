import assert from 'node:assert/strict';
import type { Fact, Instant, RunState } from '@runward/engine';

/** Throws unless the times behind the figures match the facts. `facts` are all facts of the run. */
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

/** Throws if a reminder is recorded too early, twice, after the deadline, or although the task has none. */
export function remindersAreRecordedOnce(facts: readonly Fact[]): void {
  const reminders = new Map<string, Instant | undefined>();
  for (const fact of facts) {
    const started = fact.type === 'run.started' ? fact.tasks : fact.type === 'run.migrated' ? fact.added : [];
    for (const task of started) reminders.set(task.runTaskId, task.dueSoonAt);
    const isMove = fact.type === 'task.due_date_changed' || fact.type === 'task.deadline_moved';
    if (isMove) {
      reminders.set(fact.runTaskId, fact.dueSoonAt);
      const { dueSoonAt, deadlineAt, at } = fact;
      if (dueSoonAt !== undefined) assert(at < dueSoonAt && dueSoonAt < (deadlineAt ?? ''), 'a reminder out of time');
    }
    if (fact.type === 'task.due_soon') {
      const dueSoonAt = reminders.get(fact.runTaskId);
      assert(dueSoonAt !== undefined && dueSoonAt < fact.at, 'a reminder that the task does not have yet');
      assert(fact.at <= fact.deadlineAt, 'a reminder after the deadline');
      reminders.delete(fact.runTaskId);
    }
  }
}

/** Throws if a missed deadline is recorded too early, twice, or for a deadline that the task does not have. */
export function overdueIsRecordedOnce(facts: readonly Fact[]): void {
  const deadlines = new Map<string, Instant | null>();
  const recorded = new Set<string>();
  for (const fact of facts) {
    const started = fact.type === 'run.started' ? fact.tasks : fact.type === 'run.migrated' ? fact.added : [];
    for (const task of started) deadlines.set(task.runTaskId, task.deadlineAt);
    const isMove = fact.type === 'task.due_date_changed' || fact.type === 'task.deadline_moved';
    if (isMove && deadlines.get(fact.runTaskId) !== fact.deadlineAt) {
      deadlines.set(fact.runTaskId, fact.deadlineAt);
      recorded.delete(fact.runTaskId);
    }
    if (fact.type === 'task.overdue') {
      assert.equal(fact.deadlineAt, deadlines.get(fact.runTaskId), 'overdue by a deadline that the task does not have');
      assert(fact.deadlineAt < fact.at, 'overdue before the deadline');
      assert(!recorded.has(fact.runTaskId), 'overdue twice for one deadline');
      recorded.add(fact.runTaskId);
    }
  }
}
