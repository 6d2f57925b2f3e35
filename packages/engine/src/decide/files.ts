import type { FieldValue } from '@runward/contract';
import type { CommandOf } from '../commands.ts';
import { invalidValues, type CommandResult } from '../decision.ts';
import type { FactOf } from '../facts.ts';
import { traitsOf, typesFor } from '../field-types/table.ts';
import { filesIn, filesOf, maximumFiles, withoutFile } from '../files.ts';
import { isActive, submittedFor, type EntryState, type RunState, type TaskState } from '../state.ts';
import type { Clock } from '../time.ts';
import { changeForm, fieldOf } from './entries.ts';
import { notActive } from './run.ts';

/**
 * Attaches a file to a field of an open entry. A FILE_UPLOAD field gets one more file; SIGNATURE and IMAGE replace
 * theirs. Attaching the same file again changes nothing.
 */
export function attachFile(run: RunState, command: CommandOf<'attachFile'>, clock: Clock): CommandResult {
  const { entryId, fieldId, fileId } = command;
  return changeForm(run, entryId, (task, entry) => {
    const field = fieldOf(task, fieldId, 0);
    if ('part' in field) return invalidValues([field]);
    const attached = filesOf(entry, fieldId);
    if (attached.includes(fileId)) return { facts: [] };
    const { refersTo, isList } = traitsOf(field.type);
    const problem =
      refersTo !== 'file'
        ? `is a ${field.type} field; files can be attached to ${typesFor('file', 'and')} fields only`
        : isList && attached.length >= maximumFiles
          ? `has ${maximumFiles} files, the most a field can have; delete one first`
          : null;
    if (problem !== null) {
      return invalidValues([{ index: 0, part: 'field', message: `"${field.label}" ${problem}` }]);
    }
    const value = isList ? [...attached, fileId] : fileId;
    return { facts: [submitted(task, entry, command, value, clock)] };
  });
}

/**
 * Removes a file from a value of an open entry. Changes nothing if no value contains the file, for example because its
 * entry was discarded.
 */
export function removeFile(run: RunState, command: CommandOf<'removeFile'>, clock: Clock): CommandResult {
  const { entryId, fieldId, fileId } = command;
  const known = [...run.tasks, ...run.removedTasks];
  const isDiscarded = !known.some((task) => task.entries.some((entry) => entry.id === entryId));
  if (isDiscarded) return isActive(run) ? { facts: [] } : notActive(run);
  return changeForm(run, entryId, (task, entry) => {
    const known = entry.values.find((value) => value.fieldId === fieldId);
    if (!known || !filesIn(known.value).includes(fileId)) return withoutField(entry, fieldId, fileId);
    const change = { ...command, fieldValueId: known.id };
    return { facts: [submitted(task, entry, change, withoutFile(known.value, fileId), clock)] };
  });
}

/**
 * Removes an infected file from its value. Works for any status of entry and run, and for tasks that a migration
 * removed.
 */
export function removeInfected(run: RunState, command: CommandOf<'removeInfected'>, { now }: Clock): CommandResult {
  const { entryId, fieldId, fileId } = command;
  for (const task of [...run.tasks, ...run.removedTasks]) {
    const entry = task.entries.find((candidate) => candidate.id === entryId);
    const known = entry && submittedFor(entry, fieldId);
    if (!entry || !known || !filesIn(known.value).includes(fileId)) continue;
    const value = withoutFile(known.value, fileId);
    const place = { runTaskId: task.id, entryId, fieldValueId: known.id, fieldId };
    return { facts: [{ type: 'file.removed', at: now, ...place, fileId, value, reason: 'INFECTED' }] };
  }
  return { facts: [] };
}

/** A value that is set aside keeps its file, because the value may come back. */
function withoutField({ setAside }: EntryState, fieldId: string, fileId: string): CommandResult {
  const isSetAside = setAside.some((value) => value.fieldId === fieldId && filesIn(value.value).includes(fileId));
  if (!isSetAside) return { facts: [] };
  const message = `the version that the run follows has no field ${fieldId} for this file; migrate the run to one that has`;
  return invalidValues([{ index: 0, part: 'field', message }]);
}

function submitted(
  { id: runTaskId }: TaskState,
  entry: EntryState,
  { fieldId, fieldValueId, userId }: { fieldId: string; fieldValueId: string; userId: string },
  value: FieldValue,
  { now: at }: Clock,
): FactOf<'value.submitted'> {
  const known = submittedFor(entry, fieldId);
  const place = { runTaskId, entryId: entry.id, fieldValueId: known?.id ?? fieldValueId, fieldId };
  return { type: 'value.submitted', at, ...place, value, userId };
}
