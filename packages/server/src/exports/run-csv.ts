import { setImmediate } from 'node:timers/promises';
import type { FieldValue } from '@runward/contract';
import {
  visibleFields,
  type Display,
  type EntryState,
  type FieldDefinition,
  type RunState,
  type TaskState,
} from '@runward/engine';
import type { Column } from '../csv.ts';
import { displaySubmitted } from './display-submitted.ts';

/** A line of the export of a run: a field of an entry. Names come from the {@link Display} of the request. */
interface RunLine {
  readonly run: RunState;
  readonly task: TaskState;
  readonly entry: EntryState | null;
  readonly field: FieldDefinition | null;
  readonly display: Display;
}

/** The columns of the export of a run. */
export const runColumns: readonly Column<RunLine>[] = [
  { header: 'runId', value: ({ run }) => run.id },
  { header: 'publicId', value: ({ run }) => run.publicId },
  { header: 'runTaskId', value: ({ task }) => task.id },
  { header: 'taskTitle', value: ({ task }) => task.definition.title },
  { header: 'taskStatus', value: ({ task }) => task.status },
  { header: 'assigneeName', value: assigneeName },
  { header: 'dueAt', value: ({ task }) => task.dueAt },
  { header: 'taskCompletedAt', value: ({ task }) => task.completedAt },
  { header: 'taskCompletedByName', value: ({ task, display }) => nameOf(task.completedByUserId, display) },
  { header: 'executionEntryId', value: ({ entry }) => entry?.id ?? null },
  { header: 'entryStatus', value: ({ entry }) => entry?.status ?? null },
  { header: 'entryCreatedAt', value: ({ entry }) => entry?.createdAt ?? null },
  { header: 'entryCompletedAt', value: ({ entry }) => entry?.completedAt ?? null },
  { header: 'runTaskFieldId', value: ({ field }) => field?.id ?? null },
  { header: 'fieldKey', value: ({ field }) => field?.key ?? null },
  { header: 'fieldLabel', value: ({ field }) => field?.label ?? null },
  { header: 'fieldType', value: ({ field }) => field?.type ?? null },
  { header: 'value', value: (line) => cellOf(submitted(line)?.value ?? null) },
  { header: 'displayValue', value: displayCell },
  { header: 'submittedAt', value: (line) => submitted(line)?.submittedAt ?? null },
  { header: 'submittedByName', value: (line) => nameOf(submitted(line)?.submittedByUserId, line.display) },
];

/**
 * The lines of the export of a run, a batch per entry of a visible task, because a task can have thousands of entries.
 */
export function* linesOf(run: RunState, display: Display): Generator<readonly RunLine[]> {
  for (const task of run.tasks.filter(({ hidden }) => !hidden)) {
    const fields = visibleFields(task);
    for (const entry of task.entries.length > 0 ? task.entries : [null]) {
      yield (entry && fields.length > 0 ? fields : [null]).map((field) => ({ run, task, entry, field, display }));
    }
  }
}

/** Asks for every name that the export of a run needs, for `displayFor`. Serves other requests between two batches. */
export async function nameLines(run: RunState, display: Display): Promise<void> {
  for (const lines of linesOf(run, display)) {
    await setImmediate();
    // The lines of an entry differ in the names of their values only.
    const named = lines.filter((line, index) => index === 0 || submitted(line));
    for (const line of named) for (const { value } of runColumns) value(line);
  }
}

function submitted({ entry, field }: RunLine) {
  return field === null ? undefined : entry?.values.find(({ fieldId }) => fieldId === field.id);
}

function assigneeName({ task: { assigneeId, assigneeGroupId }, display }: RunLine): string | null {
  return nameOf(assigneeId ?? assigneeGroupId, display);
}

function nameOf(id: string | null | undefined, display: Display): string | null {
  return id == null ? null : display.nameOf(id);
}

function cellOf(value: FieldValue): string | number | boolean | null {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

/** A number stays a number, so that it is not read as a formula. */
function displayCell(line: RunLine): string | number | null {
  const value = submitted(line);
  if (typeof value?.value === 'number') return value.value;
  return line.field && displaySubmitted(line.field, value, line.display);
}
