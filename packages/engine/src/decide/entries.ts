import type { CommandOf } from '../commands.ts';
import { refuse, type Step } from '../decision.ts';
import type { Fact, FactOf } from '../facts.ts';
import { isActive, type EntryState, type RunState, type TaskState } from '../state.ts';
import type { Clock } from '../time.ts';
import { fault, isFilled } from '../values.ts';
import { notActive, taskHidden } from './run.ts';

/** Opens a form of a task. A repeatable task takes several, and a new one makes a completed task PENDING again. */
export function openEntry(run: RunState, command: CommandOf<'openEntry'>, { now }: Clock): Step {
  const { runTaskId, entryId, userId } = command;
  const task = run.tasks.find((candidate) => candidate.id === runTaskId);
  if (!task) return refuse('unknown_task', `The run has no task ${runTaskId}.`);
  const obstacle = obstacleTo(run, task);
  if (obstacle) return obstacle;

  const { title, repeatable } = task.definition;
  const opened: Fact = { type: 'entry.opened', at: now, runTaskId, entryId, userId };
  if (repeatable) {
    return { facts: task.status === 'COMPLETED' ? [{ type: 'task.reopened', at: now, runTaskId }, opened] : [opened] };
  }
  if (task.status === 'COMPLETED') {
    return refuse('task_completed', `The task "${title}" is completed; reopen its entry or set it to PENDING first.`);
  }
  const open = task.entries.find((entry) => entry.status === 'OPEN');
  if (open) return refuse('entry_open', `The task "${title}" already has the open entry ${open.id}; use that one.`);
  return { facts: [opened] };
}

/** Writes values into an open entry, all or none. */
export function submitValues(run: RunState, command: CommandOf<'submitValues'>, { now }: Clock): Step {
  return changeEntry(run, command.entryId, (task, entry) => {
    if (task.status === 'COMPLETED') return taskCompleted(task);
    if (entry.status === 'COMPLETED') return entryCompleted(entry);

    const facts: FactOf<'value.submitted'>[] = [];
    for (const { fieldId, fieldValueId, value } of command.values) {
      const field = task.definition.fields.find((candidate) => candidate.id === fieldId);
      if (!field) return unknownField(task, fieldId);
      const problem = fault(field, value);
      if (problem) return refuse('invalid_value', `value: "${field.label}" ${problem}`);

      // The same field may come twice in one command; the later value replaces the earlier one.
      const known =
        entry.values.find((candidate) => candidate.fieldId === fieldId)?.id ??
        facts.find((earlier) => earlier.fieldId === fieldId)?.fieldValueId;
      facts.push({
        type: 'value.submitted',
        at: now,
        runTaskId: task.id,
        entryId: entry.id,
        fieldValueId: known ?? fieldValueId,
        fieldId,
        value,
        userId: command.userId,
      });
    }
    return { facts };
  });
}

/**
 * Completes an entry whose required fields are filled, and its task once no entry of it is open. A key this entry was
 * completed under before changes nothing, whatever happened since.
 */
export function completeEntry(run: RunState, command: CommandOf<'completeEntry'>, { now }: Clock): Step {
  const { entryId, idempotencyKey, userId } = command;
  if (idempotencyKey !== null) {
    const user = run.tasks
      .flatMap((task) => task.entries)
      .find((entry) => entry.completionKeys.includes(idempotencyKey));
    if (user?.id === entryId) return { facts: [] };
    if (user) return refuse('key_used', keyUsed);
  }
  return changeEntry(run, entryId, (task, entry) => {
    if (entry.status === 'COMPLETED') return entryCompleted(entry);
    if (task.status === 'COMPLETED') return taskCompleted(task);
    const missing = task.definition.fields.filter((field) => field.required && !isFilled(valueOf(entry, field.id)));
    if (missing.length > 0) {
      const labels = missing.map((field) => `"${field.label}"`).join(', ');
      return refuse('value_missing', `Submit a value for the required fields first: ${labels}.`);
    }

    const runTaskId = task.id;
    const facts: Fact[] = [{ type: 'entry.completed', at: now, runTaskId, entryId, idempotencyKey }];
    const last = task.entries.every((other) => other.id === entryId || other.status === 'COMPLETED');
    if (last) facts.push({ type: 'task.completed', at: now, runTaskId, userId, directly: false });
    return { facts };
  });
}

/** Opens a completed entry again; its task is PENDING until it is completed again. */
export function reopenEntry(run: RunState, { entryId }: CommandOf<'reopenEntry'>, { now }: Clock): Step {
  return changeEntry(run, entryId, (task, entry) => {
    if (entry.status === 'OPEN') return refuse('entry_open', `The entry ${entry.id} is open already; use it as it is.`);
    const open = task.entries.find((other) => other.status === 'OPEN');
    if (open && !task.definition.repeatable) {
      return refuse(
        'entry_open',
        `The task "${task.definition.title}" has the open entry ${open.id}; complete that one.`,
      );
    }
    const runTaskId = task.id;
    const facts: Fact[] = [{ type: 'entry.reopened', at: now, runTaskId, entryId }];
    if (task.status === 'COMPLETED') facts.push({ type: 'task.reopened', at: now, runTaskId });
    return { facts };
  });
}

/** What a caller is told who completes an entry under another entry's idempotency key. */
export const keyUsed = 'idempotencyKey: was used to complete another entry; send a new UUID.';

function changeEntry(run: RunState, entryId: string, change: (task: TaskState, entry: EntryState) => Step): Step {
  for (const task of run.tasks) {
    const entry = task.entries.find((candidate) => candidate.id === entryId);
    if (entry) return obstacleTo(run, task) ?? change(task, entry);
  }
  return refuse('unknown_entry', `The run has no entry ${entryId}.`);
}

function obstacleTo(run: RunState, task: TaskState): Step | null {
  if (!isActive(run)) return notActive(run);
  if (task.hidden) return taskHidden(task);
  return null;
}

function unknownField(task: TaskState, fieldId: string): Step {
  const { title } = task.definition;
  return refuse(
    'unknown_field',
    `runTaskFieldId: ${fieldId} is not a field of "${title}"; take the id from the published fields of its template.`,
  );
}

function taskCompleted(task: TaskState): Step {
  return refuse('task_completed', `The task "${task.definition.title}" is completed; set it to PENDING first.`);
}

function entryCompleted(entry: EntryState): Step {
  return refuse('entry_completed', `The entry ${entry.id} is completed; reopen it first.`);
}

function valueOf(entry: EntryState, fieldId: string) {
  return entry.values.find((value) => value.fieldId === fieldId)?.value ?? null;
}
