import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import {
  decide,
  fold,
  isActive,
  isFilled,
  type Command,
  type Decision,
  type Environment,
  type Fact,
  type Instant,
  type Rejection,
  type RunState,
  type TaskState,
} from '@runward/engine';
import { commentsChangeNothing } from '../decide/comment-invariants.ts';
import { checkApprovals } from './approval-invariants.ts';
import { completesAutomatically } from './completion-model.ts';
import { checkDiscarding } from './discard-invariants.ts';
import { everythingIsExplained } from './explain-invariants.ts';
import { checkFills } from './fill-invariants.ts';
import { checkForm } from './form-invariants.ts';
import { blockedTasksWait, rulesAreApplied } from './logic-invariants.ts';
import { checkTimes, overdueIsRecordedOnce, remindersAreRecordedOnce } from './time-invariants.ts';
import { documentIsFollowed, migrationKeepsWork, otherVersionsAreUnchanged } from './version-invariants.ts';
import { documentOf, type Version } from './versions.ts';

const message = /^[a-zA-Z]+: .*[^.]$|^[A-Z].*\.$/;

/** A decided command. `facts` are all facts of the run, including those of the command. */
export interface Decided {
  readonly versions: readonly Version[];
  readonly before: RunState;
  readonly command: Command;
  readonly environment: Environment;
  readonly decision: Decision;
  readonly facts: readonly Fact[];
}

/** Throws if a decision breaks a rule that holds for every document, run and command. */
export function check(decided: Decided): void {
  const { before, command, environment, decision } = decided;
  assert(isDeepStrictEqual(decide(before, command, environment), decision), 'the same input led to another decision');
  if (command.type === 'submitForm') return checkForm(decided, command, check);
  if (decision.rejection) {
    assert.deepEqual(Object.keys(decision), ['rejection']);
    rejectionListsInvalidValues(command, decision.rejection);
    assert.match(decision.rejection.message, message, 'a message is a sentence, or begins with the path of a field');
    return;
  }
  const { facts, state } = decision;
  assert(
    facts.every((fact) => fact.at === environment.now),
    'a fact has another time than its command',
  );
  if (facts.length === 0) assert.equal(state, before, 'the state changed without a fact');

  factsAreComplete(decided, state);
  completedRunIsDone(state);
  documentIsFollowed(decided, state);
  otherVersionsAreUnchanged(decided, state);
  migrationKeepsWork(decided, state);
  rulesAreApplied(state);
  blockedTasksWait(state);
  completionIsExpected(decided, facts);
  entriesAreConsistent(decided, state);
  assigneesAreExpected(decided, state);
  completionsAreValid(decided, facts, state);
  checkDiscarding(decided, facts, state);
  checkTimes(decided.facts, state);
  checkApprovals(decided, facts, state);
  checkFills(decided, facts, state);
  commentsChangeNothing(decided, facts, state);
  endedRunIsUnchanged(decided, facts, state);
  overdueIsRecordedOnce(decided.facts);
  remindersAreRecordedOnce(decided.facts);
  deadlinesAreMoved(decided, state);
  everythingIsExplained(state, environment);
  if (facts.length > 0 || command.type === 'detectOverdue') statusMatchesDeadlines(state, environment.now);
}

function rejectionListsInvalidValues(command: Command, { code, invalidValues = [] }: Rejection): void {
  assert(invalidValues.length === 0 || code === 'validation_failed');
  const indexes = invalidValues.map(({ index }) => index);
  const places =
    command.type === 'submitValues' ? [...command.values.keys()] : command.type === 'attachFile' ? [0] : [];
  const inOrder = places.filter((place) => indexes.includes(place));
  assert.deepEqual(indexes, inOrder, 'a value is listed twice, out of order, or does not exist');
}

function factsAreComplete({ versions, facts }: Decided, state: RunState): void {
  const documents = (id: string) => documentOf(versions, id);
  assert(isDeepStrictEqual(fold(documents, facts), state), 'the facts result in another state');
  const stored: Fact[] = JSON.parse(JSON.stringify(facts));
  assert(isDeepStrictEqual(fold(documents, stored), state), 'the facts are not plain JSON');
}

function completedRunIsDone(state: RunState): void {
  const open = state.tasks.some((task) => task.definition.required && !task.hidden && task.status !== 'COMPLETED');
  assert(state.status !== 'COMPLETED' || !open, 'a completed run has an open required task');
  assert.equal(state.completedAt !== null, state.status === 'COMPLETED');
  assert.equal(state.cancelledAt !== null, state.status === 'CANCELLED');
  if (isActive(state)) assert.equal(state.archivedAt, null, 'an archived run is active');
}

function completionIsExpected({ versions, facts: all }: Decided, facts: readonly Fact[]): void {
  assert.equal(
    facts.some((fact) => fact.type === 'run.completed' && fact.automatically),
    completesAutomatically(versions, all, all.length - facts.length),
    'a run completed automatically although tasks were left, or did not with its last task',
  );
}

/** A task has at most one assignee. What a command leaves out is unchanged, unless the new assignee replaces it. */
function assigneesAreExpected({ before, command }: Decided, state: RunState): void {
  for (const task of before.tasks) {
    if (command.type === 'migrate' && state.removedTasks.some(({ id }) => id === task.id)) continue;
    const { assigneeId, assigneeGroupId, assignedManually } = taskOf(state, task.id);
    assert(assigneeId === null || assigneeGroupId === null, 'a task has two assignees');
    // Rules may assign the others.
    if (!assignedManually) continue;
    const expected = { assigneeId: task.assigneeId, assigneeGroupId: task.assigneeGroupId };
    if (command.type === 'assign' && command.runTaskId === task.id) {
      if (command.assigneeId === null || command.assigneeGroupId) expected.assigneeId = null;
      if (command.assigneeGroupId === null || command.assigneeId) expected.assigneeGroupId = null;
      if (command.assigneeId) expected.assigneeId = command.assigneeId;
      if (command.assigneeGroupId) expected.assigneeGroupId = command.assigneeGroupId;
    }
    assert.deepEqual({ assigneeId, assigneeGroupId }, expected);
  }
}

function entriesAreConsistent({ facts }: Decided, state: RunState): void {
  // A version can take from a task that it is repeatable.
  const isMigrated = facts.some(({ type }) => type === 'run.migrated');
  for (const { definition, status, completedAt, completedByUserId, entries } of state.tasks) {
    assert.equal(completedAt !== null, status === 'COMPLETED');
    assert.equal(completedByUserId !== null, status === 'COMPLETED');
    const open = entries.filter((entry) => entry.status === 'OPEN');
    assert(isMigrated || definition.repeatable || open.length <= 1, 'a task has two open entries');
    for (const { values } of entries) {
      assert.equal(new Set(values.map((value) => value.fieldId)).size, values.length, 'a field has two values');
    }
  }
  const keys = [...state.tasks, ...state.removedTasks]
    .flatMap((task) => task.entries)
    .flatMap((entry) => entry.completionKeys);
  assert.equal(new Set(keys).size, keys.length, 'a key completed twice');
}

/**
 * A task is completed directly, or by a form with every required value. Its form then cannot change until the task is
 * PENDING.
 */
function completionsAreValid({ before, command }: Decided, facts: readonly Fact[], state: RunState): void {
  for (const fact of facts) {
    if (fact.type !== 'task.completed') continue;
    const { definition, hiddenFieldIds, entries } = taskOf(state, fact.runTaskId);
    assert.notEqual(taskOf(before, fact.runTaskId).status, 'COMPLETED', 'a completed task was completed');
    const ofForms = command.type === 'completeEntry' || command.type === 'discardEntry';
    assert(fact.directly ? command.type === 'setTaskStatus' : ofForms, `${command.type} completed a task`);
    const isRestored = command.type === 'discardEntry';
    assert(isRestored || taskOf(before, fact.runTaskId).status !== 'BLOCKED', 'a blocked task was completed');
    if (fact.directly || command.type !== 'completeEntry') continue;
    const entry = entries.find((one) => one.id === command.entryId);
    const filled = new Set(entry?.values.filter(({ value }) => isFilled(value)).map(({ fieldId }) => fieldId));
    assert(
      definition.fields.every(({ id, required }) => !required || hiddenFieldIds.includes(id) || filled.has(id)),
      'a required value is missing',
    );
    assert(
      entries.every(({ status }) => status === 'COMPLETED'),
      'a completed task has an open entry',
    );
  }
  if (command.type === 'migrate') return;
  for (const task of before.tasks) {
    const after = taskOf(state, task.id);
    if (task.status !== 'COMPLETED' || after.status !== 'COMPLETED' || command.type === 'removeInfected') continue;
    assert.equal(after.entries, task.entries, 'the form of a completed task changed');
    const opened = facts.some((fact) => fact.type === 'entry.opened' && fact.runTaskId === task.id);
    assert(!opened || task.definition.repeatable, 'a completed task was opened');
  }
}

function endedRunIsUnchanged({ before, command, facts: all }: Decided, facts: readonly Fact[], state: RunState): void {
  if (isActive(before)) return;
  if (command.type === 'reopen') {
    // After an infected file was removed from an ended run, the consequences wait until it is reopened.
    const isSame = isDeepStrictEqual(state.tasks.map(withoutTimes), before.tasks.map(withoutTimes));
    assert(isSame || all.some(({ type }) => type === 'file.removed'), 'reopening changed a task');
    assert(isActive(state));
  } else if (command.type === 'removeInfected') {
    assert(facts.length <= 1 && facts.every(({ type }) => type === 'file.removed'));
  } else {
    assert.equal(state.tasks, before.tasks, 'a task of a run that has ended changed');
    assert.equal(state.status, before.status);
    assert(facts.every(({ type }) => /^run\.(un)?archived$|^comment\./.test(type)));
  }
}

function statusMatchesDeadlines(state: RunState, now: Instant): void {
  const overdue = state.tasks.filter(
    (task) => !task.hidden && task.status !== 'COMPLETED' && task.deadlineAt !== null && task.deadlineAt < now,
  );
  assert.equal(
    state.status === 'OVERDUE',
    isActive(state) && overdue.length > 0,
    `${state.status} with ${overdue.length} overdue tasks`,
  );
  if (isActive(state))
    assert(
      overdue.every((task) => task.overdueSignalled),
      'task.overdue was not recorded for an overdue task',
    );
}

/**
 * After a calendar change or a reopening, every open date-only deadline is the end of a day in the calendar. A calendar
 * change changes nothing else.
 */
function deadlinesAreMoved({ before, command, environment }: Decided, state: RunState): void {
  const moves = isActive(before) ? 'moveDeadlines' : 'reopen';
  if (command.type !== moves) return;
  for (const task of before.tasks) {
    const after = taskOf(state, task.id);
    const isDateOnly = task.dueAt !== null && !task.dueAtHasTime && task.status !== 'COMPLETED';
    const expected = isDateOnly && task.dueAt !== null ? environment.calendar.endOfDay(task.dueAt) : task.deadlineAt;
    assert.equal(after.deadlineAt, expected, 'a deadline was not moved, or one that must stay was');
    if (moves === 'reopen') continue;
    const { deadlineAt, dueSoonAt, overdueSignalled } = after;
    assert.deepEqual(
      after,
      { ...task, deadlineAt, dueSoonAt, overdueSignalled },
      'moving deadlines changed something else',
    );
  }
}

function withoutTimes(task: TaskState): TaskState {
  return { ...task, deadlineAt: null, dueSoonAt: null, overdueSignalled: false };
}

function taskOf(state: RunState, runTaskId: string): TaskState {
  const task = state.tasks.find((one) => one.id === runTaskId);
  assert(task, `the run lost its task ${runTaskId}`);
  return task;
}
