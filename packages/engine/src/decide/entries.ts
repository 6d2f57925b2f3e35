import type { FieldValue } from '@runward/contract';
import type { CommandOf, SubmittedValue } from '../commands.ts';
import { invalidValues, reject, type CommandResult, type InvalidValue } from '../decision.ts';
import type { Environment, Formats } from '../environment.ts';
import type { Fact, FactOf } from '../facts.ts';
import { traitsOf } from '../field-types/table.ts';
import { filesIn, filesOf } from '../files.ts';
import type { FieldDefinition } from '../process.ts';
import {
  lacksApproval,
  missingFields,
  submittedFor,
  type EntryState,
  type RunState,
  type TaskState,
} from '../state.ts';
import type { Clock } from '../time.ts';
import { checkValue, storedValue } from '../values.ts';
import { approvalMissing } from './approval-decisions.ts';
import { changeTask, rejectionOf } from './change-task.ts';
import { fillsOf } from './fills.ts';
import { taskBlocked } from './tasks.ts';

/**
 * Opens an entry of a task. A repeatable task may have several entries; a new one sets a completed task back to
 * PENDING.
 */
export function openEntry(run: RunState, command: CommandOf<'openEntry'>, { now }: Clock): CommandResult {
  const { runTaskId, entryId, userId } = command;
  return changeTask(run, runTaskId, (task) => {
    const { title, repeatable } = task.definition;
    const opened: Fact = { type: 'entry.opened', at: now, runTaskId, entryId, userId };
    if (repeatable) {
      const reopened: Fact = { type: 'task.reopened', at: now, runTaskId, directly: false };
      return { facts: task.status === 'COMPLETED' ? [reopened, opened] : [opened] };
    }
    if (task.status === 'COMPLETED') {
      return reject('task_completed', `The task "${title}" is completed; reopen its entry or set it to PENDING first.`);
    }
    const open = task.entries.find((entry) => entry.status === 'OPEN');
    if (open) return reject('entry_open', `The task "${title}" already has the open entry ${open.id}; use that entry.`);
    return { facts: [opened] };
  });
}

/** Writes values to an open entry, all or none. The rejection lists every invalid value. */
export function submitValues(
  run: RunState,
  command: CommandOf<'submitValues'>,
  { now, formats }: Environment,
): CommandResult {
  return changeForm(run, command.entryId, (task, entry) => {
    const fields = new Map(task.definition.fields.map((field) => [field.id, field]));
    const values = command.values.map((submitted) => {
      const field = fields.get(submitted.fieldId);
      return field ? { ...submitted, value: storedValue(field, submitted.value, formats) } : submitted;
    });
    const invalid = values.flatMap((value, index) => invalidValue(task, entry, value, index, formats) ?? []);
    if (invalid.length > 0) return invalidValues(invalid);

    const facts: FactOf<'value.submitted'>[] = [];
    const submit = (
      { fieldId, fieldValueId, value }: SubmittedValue,
      origin: Pick<FactOf<'value.submitted'>, 'rowLabel' | 'filledFrom'>,
    ) => {
      // A command may name a field twice; the later value counts.
      const knownId =
        submittedFor(entry, fieldId)?.id ?? facts.find((earlier) => earlier.fieldId === fieldId)?.fieldValueId;
      facts.push({
        type: 'value.submitted',
        at: now,
        runTaskId: task.id,
        entryId: entry.id,
        fieldValueId: knownId ?? fieldValueId,
        fieldId,
        value,
        userId: command.userId,
        ...origin,
      });
    };
    for (const value of values) submit(value, value.row ? { rowLabel: value.row.label } : {});
    for (const [lookupId, fill] of fillsOf(task, entry, values, formats)) submit(fill, { filledFrom: lookupId });
    return { facts };
  });
}

/**
 * Completes an entry if all its required fields have a value. Also completes the task if it has no other open entry.
 * Repeating an idempotency key of this entry changes nothing, even if the entry was reopened since.
 */
export function completeEntry(run: RunState, command: CommandOf<'completeEntry'>, { now }: Clock): CommandResult {
  const { entryId, idempotencyKey, userId } = command;
  if (idempotencyKey !== null) {
    // A migration can bring a removed task back with its entries.
    const completed = [...run.tasks, ...run.removedTasks]
      .flatMap((task) => task.entries)
      .find((entry) => entry.completionKeys.includes(idempotencyKey));
    if (completed?.id === entryId) return { facts: [] };
    if (completed) return reject('idempotency_key_reused', keyUsedMessage);
  }
  return changeEntry(run, entryId, (task, entry) => {
    if (entry.status === 'COMPLETED') return entryCompleted(entry);
    if (task.status === 'COMPLETED') return taskCompleted(task);
    if (task.status === 'BLOCKED') return taskBlocked(run, task);
    const missing = missingFields(task, entry);
    if (missing.length > 0) {
      const labels = missing.map((field) => `"${field.label}"`).join(', ');
      return reject('required_fields_missing', `Required fields have no value: ${labels}; submit their values first.`);
    }
    if (lacksApproval(task, (id) => id === entryId)) return approvalMissing(task);

    const runTaskId = task.id;
    const facts: Fact[] = [{ type: 'entry.completed', at: now, runTaskId, entryId, idempotencyKey }];
    const isLast = task.entries.every((other) => other.id === entryId || other.status === 'COMPLETED');
    if (isLast) facts.push({ type: 'task.completed', at: now, runTaskId, userId, directly: false });
    return { facts };
  });
}

/** Reopens a completed entry; its task becomes PENDING. */
export function reopenEntry(run: RunState, { entryId }: CommandOf<'reopenEntry'>, { now }: Clock): CommandResult {
  return changeEntry(run, entryId, (task, entry) => {
    if (entry.status === 'OPEN')
      return reject('entry_open', `The entry ${entry.id} is already open; submit values to it or complete it.`);
    const open = task.entries.find((other) => other.status === 'OPEN');
    if (open && !task.definition.repeatable) {
      return reject(
        'entry_open',
        `The task "${task.definition.title}" already has the open entry ${open.id}; complete that entry first.`,
      );
    }
    const runTaskId = task.id;
    const facts: Fact[] = [{ type: 'entry.reopened', at: now, runTaskId, entryId }];
    if (task.status === 'COMPLETED') facts.push({ type: 'task.reopened', at: now, runTaskId, directly: false });
    return { facts };
  });
}

/** Discards an open entry. The task becomes COMPLETED again if it was completed before and has no other open entry. */
export function discardEntry(run: RunState, command: CommandOf<'discardEntry'>, { now }: Clock): CommandResult {
  const { entryId, userId } = command;
  return changeEntry(run, entryId, (task, entry) => {
    if (entry.status === 'COMPLETED') return entryCompleted(entry);
    if (task.status === 'COMPLETED') return taskCompleted(task);
    const runTaskId = task.id;
    const facts: Fact[] = [{ type: 'entry.discarded', at: now, runTaskId, entryId }];
    const isLast = task.entries.every((other) => other.id === entryId || other.status === 'COMPLETED');
    const isRestored = isLast && task.done && !lacksApproval(task, (id) => id !== entryId);
    if (isRestored) facts.push({ type: 'task.completed', at: now, runTaskId, userId, directly: false });
    return { facts };
  });
}

/** The message for an idempotency key that completed another entry, in this run or another. */
export const keyUsedMessage = 'idempotencyKey: already used to complete another entry; send a new UUID';

/** Changes an open entry of an open task. */
export function changeForm(
  run: RunState,
  entryId: string,
  change: (task: TaskState, entry: EntryState) => CommandResult,
): CommandResult {
  return changeEntry(run, entryId, (task, entry) => {
    if (task.status === 'COMPLETED') return taskCompleted(task);
    if (entry.status === 'COMPLETED') return entryCompleted(entry);
    return change(task, entry);
  });
}

function changeEntry(
  run: RunState,
  entryId: string,
  change: (task: TaskState, entry: EntryState) => CommandResult,
): CommandResult {
  for (const task of [...run.tasks, ...run.removedTasks]) {
    const entry = task.entries.find((candidate) => candidate.id === entryId);
    if (entry) return rejectionOf(run, task) ?? change(task, entry);
  }
  return reject('validation_failed', `The run has no entry ${entryId}; use the id of one of its entries.`);
}

/** Finds a visible field of a task. If there is none, returns the problem of the value at `index`. */
export function fieldOf(
  { definition: { title, fields }, hiddenFieldIds }: TaskState,
  fieldId: string,
  index: number,
): FieldDefinition | InvalidValue {
  const field = fields.find((candidate) => candidate.id === fieldId);
  if (!field) {
    const message = `the task "${title}" has no field ${fieldId}; use the id of a published field of its template`;
    return { index, part: 'field', message };
  }
  const isHidden = hiddenFieldIds.includes(fieldId);
  return isHidden ? { index, part: 'value', message: `"${field.label}" ${hiddenMessage}` } : field;
}

function invalidValue(
  task: TaskState,
  entry: EntryState,
  { fieldId, value, missing }: SubmittedValue,
  index: number,
  formats: Formats,
): InvalidValue | null {
  const field = fieldOf(task, fieldId, index);
  if ('part' in field) return field;
  const problem = checkValue(field, value, formats) ?? unattached(field, entry, value) ?? missing ?? null;
  return problem === null ? null : { index, part: 'value', message: `"${field.label}" ${problem}` };
}

const hiddenMessage = 'is hidden by a rule; leave it out, or change the values that the rule depends on first';

/** Submitting can only reorder and remove files. Only an upload attaches them. */
function unattached(field: FieldDefinition, entry: EntryState, value: FieldValue): string | null {
  if (traitsOf(field.type).refersTo !== 'file') return null;
  const attached = new Set(filesOf(entry, field.id));
  const isAttached = filesIn(value).every((id) => attached.has(id));
  return isAttached
    ? null
    : 'must only contain files that are attached to it in this entry; upload others to attach them';
}

function taskCompleted(task: TaskState): CommandResult {
  return reject('task_completed', `The task "${task.definition.title}" is completed; set it to PENDING first.`);
}

function entryCompleted(entry: EntryState): CommandResult {
  return reject('entry_completed', `The entry ${entry.id} is completed; reopen it first.`);
}
