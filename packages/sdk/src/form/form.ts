import type { Client } from '../client-type.ts';
import { choose } from '../find/choose.ts';
import type { ExecutionEntry, Field, FieldValue, RunTask, ShownVariable, TaskListItem } from '../generated/runs.ts';

/** The form of a task: its fields, in the template version that the run follows, and the entered values. */
export interface Form {
  readonly task: TaskListItem;
  /** The version of the run. */
  readonly runVersion: string;
  /** The instructions for the task; null if it has none. */
  readonly description: string | null;
  readonly fields: readonly Field[];
  /** The flow variables that are shown with the form, with their values. */
  readonly shownVariables: readonly ShownVariable[];
  /** The ids of the fields that rules can show or hide. */
  readonly conditional: ReadonlySet<string>;
  /** The entries, newest first; at most 200. */
  readonly entries: readonly ExecutionEntry[];
  /** The open entry; null if there is none. */
  readonly entry: ExecutionEntry | null;
  /** The newest completed entry; null if there is none. */
  readonly completed: ExecutionEntry | null;
  /** The values of the open entry, by the id of the field. */
  readonly values: ReadonlyMap<string, FieldValue>;
}

/** Loads the form of a task. */
export async function loadForm(
  { runs }: Pick<Client, 'runs'>,
  { runTaskId }: Pick<RunTask, 'runTaskId'>,
): Promise<Form> {
  const { conditionalFieldIds, ...form } = await runs.tasks.form(runTaskId);
  const newest = (status: ExecutionEntry['status']) => form.entries.find((entry) => entry.status === status) ?? null;
  const entry = newest('OPEN');
  const completed = newest('COMPLETED');
  return { ...form, conditional: new Set(conditionalFieldIds), entry, completed, values: valuesOf(entry) };
}

/** Reads a form again after its entry changed. */
export async function refreshForm(client: Pick<Client, 'runs'>, { task }: Form, entryId: string): Promise<Form> {
  const form = await loadForm(client, task);
  const entry = form.entries.find(({ id }) => id === entryId) ?? null;
  return { ...form, entry, values: valuesOf(entry) };
}

/** The fields of a form that rules do not hide now. */
export function visibleFields({ fields, task }: Pick<Form, 'fields' | 'task'>): Field[] {
  return fields.filter(({ id }) => !task.hiddenFieldIds.includes(id));
}

/**
 * Finds the field of a form that a text refers to: by its key, label or id.
 *
 * @throws FindError if no field fits or several do
 */
export function findField({ fields, task }: Pick<Form, 'fields' | 'task'>, text: string): Field {
  const byKey = fields.find(({ key }) => key === text.trim());
  if (byKey) return byKey;
  return choose(fields, text, {
    noun: 'field',
    of: ` of "${task.title}"`,
    relation: 'is named',
    areFew: true,
    idOf: ({ id }) => id,
    namesOf: ({ key, label }) => (key.toLowerCase() === label.toLowerCase() ? [key] : [key, label]),
  });
}

function valuesOf(entry: ExecutionEntry | null): Map<string, FieldValue> {
  return new Map(entry?.fieldValues.map(({ runTaskFieldId, value }) => [runTaskFieldId, value]));
}
