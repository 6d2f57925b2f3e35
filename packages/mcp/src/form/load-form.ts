import type { Client, ExecutionEntry, Field } from '@runward/sdk';
import type { FoundTask } from '../lookup/task.ts';

/** The form of a task, in the version of the template that its run follows. */
export interface Form {
  /** The instructions for the task; null if it has none. */
  readonly instructions: string | null;
  /** The fields that rules do not hide. */
  readonly fields: readonly Field[];
  /** How many fields rules hide now. */
  readonly hiddenFields: number;
  /** The open entry, else the newest one; null if the form was never opened. */
  readonly entry: ExecutionEntry | null;
}

/** How many entries of a repeatable task are searched for an open one. */
const maximumEntries = 200;

/** Loads the form of a task. */
export async function loadForm({ templates, execution }: Client, { run, task }: FoundTask): Promise<Form> {
  const [version, entries] = await Promise.all([
    templates.versions.get(run.templateId, run.templateVersionId),
    execution.entries(task.runTaskId).toArray({ limit: maximumEntries }),
  ]);
  const { description = null, fields = [] } = version.tasks.find(({ id }) => id === task.taskId) ?? {};
  const visible = fields.filter(({ id }) => !task.hiddenFieldIds.includes(id));
  return {
    instructions: description,
    fields: visible,
    hiddenFields: fields.length - visible.length,
    entry: entries.find(({ status }) => status === 'OPEN') ?? entries[0] ?? null,
  };
}
