import assert from 'node:assert/strict';
import {
  checkValue,
  decide,
  isActive,
  isRetired,
  variablesOf,
  type EntryState,
  type RunState,
  type TaskDefinition,
  type TaskState,
} from '@runward/engine';
import type { Decided } from './invariants.ts';
import { documentOf } from './versions.ts';

/**
 * Throws unless a run has the tasks of its version in order, with the expected rules, followed by the retired tasks.
 */
export function documentIsFollowed({ versions, environment }: Decided, state: RunState): void {
  const { document, templateVersionId, rulesVersionId } = state;
  const own = documentOf(versions, templateVersionId);
  const current = state.tasks.filter((task) => !isRetired(task));
  assert.deepEqual(withoutRules(document.tasks), withoutRules(own.tasks), 'the document is not that of the version');
  assert.deepEqual(
    current.map(({ definition }) => definition),
    document.tasks,
    'a task of the version is missing, or in another place',
  );
  const wanted = rulesVersionId === null ? own : documentOf(versions, rulesVersionId);
  const expected = document.tasks.flatMap(({ id }) => wanted.tasks.find((task) => task.id === id)?.rules ?? []);
  assert.deepEqual(
    document.tasks.flatMap(({ rules }) => rules),
    expected.filter((rule) => wanted === own || namesPartsOf(own, rule)),
    'the run has other rules than its version, or than that of its rules as far as it can have them',
  );
  for (const { definition, entries } of current) {
    for (const { values } of entries) {
      for (const { fieldId, value } of values) {
        const field = definition.fields.find(({ id }) => id === fieldId);
        assert(
          field && checkValue(field, value, environment.formats) === null,
          'an entry has a value that does not fit',
        );
      }
    }
  }
  const contained = new Set(own.tasks.map(({ id }) => id));
  for (const task of [...state.tasks.filter(isRetired), ...state.removedTasks]) {
    assert.equal(
      task.status === 'COMPLETED',
      task.removedAt === null,
      'an open task was retired or a completed one removed',
    );
    assert(!contained.has(task.definition.id), 'a task of the version is retired or removed');
  }
}

/** Throws if a retired or removed task changes, except by a migration or the removal of an infected file. */
export function otherVersionsAreUnchanged({ before, command }: Decided, state: RunState): void {
  if (command.type === 'migrate' || command.type === 'removeInfected') return;
  assert.equal(state.templateVersionId, before.templateVersionId);
  assert.deepEqual(state.tasks.filter(isRetired), before.tasks.filter(isRetired), 'a retired task changed');
  assert.equal(state.removedTasks, before.removedTasks, 'a removed task changed');
}

/** Throws if a migration loses something, or if migrating back does not restore it. */
export function migrationKeepsWork({ before, command, versions, environment }: Decided, state: RunState): void {
  if (command.type !== 'migrate') return;
  for (const task of allTasks(before)) {
    const after = allTasks(state).find(({ id }) => id === task.id);
    assert(after, 'a migration lost a task');
    assert.deepEqual(after.entries.map(everything), task.entries.map(everything), 'a migration lost a value');
  }
  const toVersionId = before.templateVersionId;
  if (!isActive(state) || toVersionId === state.templateVersionId) return;
  const document = documentOf(versions, toVersionId);
  const runTaskIds = document.tasks.map(({ id }) => `${id}-never`);
  const back = decide(state, { type: 'migrate', toVersionId, document, runTaskIds }, environment);
  assert(!back.rejection, 'a migration cannot be undone');
  const restored = back.state;
  assert.deepEqual(
    inOrder(restored.tasks.map(workOf)),
    inOrder(before.tasks.map(workOf)),
    'migrating back changed the work on a task',
  );
  if (before.rulesVersionId !== null) return;
  assert.deepEqual(variablesOf(restored), variablesOf(before));
  const visible = ({ tasks }: RunState) => inOrder(tasks.filter(({ hidden }) => !hidden)).map(({ id }) => id);
  assert.deepEqual(visible(restored), visible(before), 'migrating back hid or showed a task');
}

function workOf(task: TaskState) {
  const { id, status, done, assignedManually, forceUnblocked, entries } = task;
  const arranged = (entry: EntryState) => ({
    ...entry,
    values: inOrder(entry.values),
    setAside: inOrder(entry.setAside),
  });
  return {
    id,
    done,
    assignedManually,
    forceUnblocked,
    isCompleted: status === 'COMPLETED',
    // A task that was retired before and after may have belonged to another version in between.
    entries: entries.map(isRetired(task) ? everything : arranged),
  };
}

function everything({ values, setAside, ...entry }: EntryState) {
  return { ...entry, values: inOrder([...values, ...setAside]) };
}

function inOrder<Part extends { readonly id: string }>(parts: readonly Part[]): Part[] {
  return parts.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

function allTasks({ tasks, removedTasks }: RunState): TaskState[] {
  return [...tasks, ...removedTasks];
}

function withoutRules(tasks: readonly TaskDefinition[]) {
  return tasks.map(({ rules: _, ...task }) => task);
}

/** Rules read text fields only, so a field of another type is a different part. */
function namesPartsOf({ tasks, variables }: RunState['document'], rule: TaskDefinition['rules'][number]): boolean {
  const fields = tasks.flatMap((task) => task.fields);
  const isText = (id: string) =>
    fields.some((field) => field.id === id && (field.type === 'TEXT' || field.type === 'EMAIL'));
  const isTask = (id: string) => tasks.some((task) => task.id === id);
  return (
    rule.conditions.every(({ source }) =>
      source.type === 'VARIABLE' ? variables.some(({ key }) => key === source.key) : isText(source.fieldId),
    ) &&
    rule.actions.every((action) => {
      if (action.type === 'SET_VARIABLE') return variables.some(({ key }) => key === action.key);
      if (action.type === 'ASSIGN') return isTask(action.taskId);
      return action.taskIds.every(isTask) && action.fieldIds.every((id) => fields.some((field) => field.id === id));
    })
  );
}
