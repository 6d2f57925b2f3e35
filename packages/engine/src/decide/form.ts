import type { Command, CommandOf } from '../commands.ts';
import type { RunState } from '../state.ts';

type SubmitForm = CommandOf<'submitForm'>;

/** The single commands that make up a form submission. Empty if its idempotency key has completed the entry already. */
export function formSteps(run: RunState, command: SubmitForm): Command[] {
  const { form, values, completion, userId } = command;
  const entryId = formEntryId(run, command);
  const key = completion?.idempotencyKey ?? null;
  const entry = run.tasks.flatMap(({ entries }) => entries).find(({ id }) => id === entryId);
  if (key !== null && entry?.completionKeys.includes(key)) return [];
  const steps: Command[] = [{ type: 'submitValues', entryId, values, userId }];
  if ('runTaskId' in form && entryId === form.newEntryId) {
    steps.unshift({ type: 'openEntry', runTaskId: form.runTaskId, entryId, userId });
  }
  if (completion) steps.push({ type: 'completeEntry', entryId, idempotencyKey: completion.idempotencyKey, userId });
  return steps;
}

/**
 * The id of the entry that a form is submitted to: the entry that the command names, otherwise an entry of the task.
 * That is the entry that the idempotency key has completed, or the open entry that prevents another, or a new one.
 * `run` is the state before the command.
 */
export function formEntryId(run: RunState, { form, completion }: SubmitForm): string {
  if ('entryId' in form) return form.entryId;
  const task = run.tasks.find(({ id }) => id === form.runTaskId);
  if (!task) return form.newEntryId;
  const key = completion?.idempotencyKey ?? null;
  const completed = task.entries.find(({ completionKeys }) => key !== null && completionKeys.includes(key));
  const takesOthers = task.definition.repeatable || task.status === 'COMPLETED';
  const open = takesOthers ? undefined : task.entries.find(({ status }) => status === 'OPEN');
  return (completed ?? open)?.id ?? form.newEntryId;
}
