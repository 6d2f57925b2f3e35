import assert from 'node:assert/strict';
import { decide, type Fact, type RunState, type TaskState } from '@runward/engine';
import type { Decided } from './invariants.ts';

/** Throws unless discarding an entry exactly undoes opening it. */
export function checkDiscarding(decided: Decided, facts: readonly Fact[], state: RunState): void {
  const { command, before, facts: all } = decided;
  for (const task of state.tasks) {
    assert(task.done || task.status !== 'COMPLETED', 'a completed task is not done');
    assert.equal(task.done, isDone(all, task.id), 'a task is done, or not, against its facts');
  }
  if (command.type === 'openEntry' && facts.length > 0)
    openingCanBeUndone(decided, state, command.runTaskId, command.entryId);
  if (command.type !== 'discardEntry') return;

  const [discarded] = facts;
  assert(discarded?.type === 'entry.discarded', 'an entry was not discarded');
  const { runTaskId } = discarded;
  for (const task of before.tasks) {
    const after: TaskState = taskOf(state, task.id);
    const left: TaskState['entries'] = task.entries.filter(({ id }) => id !== command.entryId);
    assert.deepEqual(after.entries, left, 'another entry was discarded, or this one is left');
    // Rules and dependencies may change the rest of another task.
    if (task.id !== runTaskId) assert.equal(after.done, task.done, 'discarding completed or reopened another task');
  }
  const isCompleted = facts.some((fact) => fact.type === 'task.completed');
  const earlier = all.slice(0, all.length - facts.length);
  const { definition, approval, entries } = taskOf(state, runTaskId);
  const hasOpen = entries.some(({ status }) => status === 'OPEN');
  const isApproved = definition.approval === null || approval?.status === 'GRANTED';
  assert.equal(
    isCompleted,
    !hasOpen && isApproved && isDone(earlier, runTaskId),
    'a task was completed, or not, by discarding',
  );
}

/** The task is as before, except for who completed it and when. */
function openingCanBeUndone(
  { before, environment }: Decided,
  state: RunState,
  runTaskId: string,
  entryId: string,
): void {
  const undone = decide(state, { type: 'discardEntry', entryId, userId: 'grace' }, environment);
  assert(!undone.rejection, 'an entry that was just opened cannot be discarded');
  const [was, is] = [taskOf(before, runTaskId), taskOf(undone.state, runTaskId)];
  const hasOpen = was.entries.some(({ status }) => status === 'OPEN');
  const wasCompletedWhileOpen = hasOpen && was.status === 'COMPLETED';
  const expected: string[] = wasCompletedWhileOpen ? ['PENDING', 'BLOCKED'] : [was.status];
  // The task was done but waited for an approval. Migrating to a version without the approval did not change its
  // status.
  if (was.done && !hasOpen && was.definition.approval === null) expected.push('COMPLETED');
  assert(expected.includes(is.status), 'discarding did not undo the opening of an entry');
  assert.equal(is.done, was.done);
  assert.deepEqual(is.entries, was.entries);
}

/** Whether facts leave a task done, ignoring open entries. Models one task from its facts alone. */
function isDone(facts: readonly Fact[], runTaskId: string): boolean {
  const own = facts.filter((fact) => 'runTaskId' in fact && fact.runTaskId === runTaskId);
  const completed = new Set<string>();
  let done = false;
  for (const fact of own) {
    if (fact.type === 'task.completed' && fact.directly) done = true;
    if (fact.type === 'task.reopened' && fact.directly) done = false;
    if (fact.type === 'entry.completed') done = completed.add(fact.entryId).size > 0;
    if (fact.type === 'entry.reopened' && completed.delete(fact.entryId)) done &&= completed.size > 0;
  }
  return done;
}

function taskOf(state: RunState, runTaskId: string): TaskState {
  const task = state.tasks.find(({ id }) => id === runTaskId);
  assert(task, `the run has no task ${runTaskId}`);
  return task;
}
