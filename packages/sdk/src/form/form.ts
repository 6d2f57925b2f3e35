import type { Client } from '../client-type.ts';
import { choose } from '../find/choose.ts';
import type { ExecutionEntry, FieldValue, Run, RunTask } from '../generated/runs.ts';
import type { Field, TemplateVersionDocument } from '../generated/templates.ts';

/** The form of a task: its fields, in the template version that the run follows, and the entered values. */
export interface Form {
  readonly task: RunTask;
  /** The template version that the run follows. */
  readonly version: TemplateVersionDocument;
  /** The instructions for the task; null if it has none. */
  readonly description: string | null;
  readonly fields: readonly Field[];
  /** The ids of the fields that rules can show or hide. */
  readonly conditional: ReadonlySet<string>;
  /** The open entry; null if there is none. */
  readonly entry: ExecutionEntry | null;
  /** The newest completed entry; null if there is none. */
  readonly completed: ExecutionEntry | null;
  /** The values of the open entry, by the id of the field. */
  readonly values: ReadonlyMap<string, FieldValue>;
}

/** How many entries of a repeatable task are searched for an open one. */
const maximumEntries = 200;

/** Loads the form of a task. */
export async function loadForm({ templates, execution }: Client, run: Run, task: RunTask): Promise<Form> {
  const [version, entries] = await Promise.all([
    templates.versions.get(run.templateId, run.templateVersionId),
    execution.entries(task.runTaskId).toArray({ limit: maximumEntries }),
  ]);
  const { fields = [], description = null } = version.tasks.find(({ id }) => id === task.taskId) ?? {};
  const actions = version.tasks.flatMap(({ rules }) => rules.flatMap((rule) => rule.actions));
  const conditional = new Set(
    actions.flatMap((action) => (action.type === 'SHOW' || action.type === 'HIDE' ? (action.fieldIds ?? []) : [])),
  );
  const newest = (status: ExecutionEntry['status']) => entries.find((entry) => entry.status === status) ?? null;
  const entry = newest('OPEN');
  const completed = newest('COMPLETED');
  return { task, version, description, fields, conditional, entry, completed, values: valuesOf(entry) };
}

/** Reads a form again after its entry changed. */
export async function refreshForm({ runs, execution }: Client, form: Form, entryId: string): Promise<Form> {
  const [task, entry] = [await runs.tasks.get(form.task.runTaskId), await execution.get(entryId)];
  return { ...form, task, entry, values: valuesOf(entry) };
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
