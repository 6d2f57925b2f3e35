import type { Field, FieldValue } from '@runward/contract';
import type { Client, ExecutionEntry, Run, RunTask } from '@runward/sdk';

/** The form of a task: its fields in the template version of the run, and its open entry if it has one. */
export interface Form {
  readonly task: RunTask;
  /** What the template says about the task. */
  readonly description: string | null;
  readonly fields: readonly Field[];
  readonly entry: ExecutionEntry | null;
  /** The values of the open entry, by field ID. */
  readonly values: ReadonlyMap<string, FieldValue>;
  /** The IDs of the fields that rules can show or hide. */
  readonly conditional: ReadonlySet<string>;
}

/** Loads the form of a task. */
export async function loadForm({ templates, execution }: Client, run: Run, task: RunTask): Promise<Form> {
  const version = await templates.versions.get(run.templateId, run.templateVersionId);
  const { fields = [], description = null } = version.tasks.find(({ id }) => id === task.taskId) ?? {};
  const entries = await Array.fromAsync(execution.entries(task.runTaskId));
  const entry = entries.find(({ status }) => status === 'OPEN') ?? null;
  const actions = version.tasks.flatMap(({ rules }) => rules.flatMap((rule) => rule.actions));
  const conditional = new Set(
    actions.flatMap((action) => (action.type === 'SHOW' || action.type === 'HIDE' ? (action.fieldIds ?? []) : [])),
  );
  return { task, description, fields, entry, values: valuesOf(entry), conditional };
}

/** A form as it is after a change of its entry. */
export async function refreshForm({ runs, execution }: Client, form: Form, entryId: string): Promise<Form> {
  const [task, entry] = [await runs.tasks.get(form.task.runTaskId), await execution.get(entryId)];
  return { ...form, task, entry, values: valuesOf(entry) };
}

function valuesOf(entry: ExecutionEntry | null): Map<string, FieldValue> {
  return new Map(entry?.fieldValues.map(({ runTaskFieldId, value }) => [runTaskFieldId, value]));
}
