import type { Contract, Field, FieldValue, Response } from '@runward/contract';
import type { Client } from '@runward/sdk';
import type { Run, RunTask } from '../lookup/run-task.ts';

/** An entry of a task, as the API returns it. */
export type Entry = Response<Contract['execution']['open']>;

/** The form of a task: its fields in the template version of the run, and its open entry if it has one. */
export interface Form {
  readonly task: RunTask;
  readonly fields: readonly Field[];
  readonly entry: Entry | null;
  /** The values of the open entry, by field ID. */
  readonly values: ReadonlyMap<string, FieldValue>;
}

/** Loads the form of a task. */
export async function loadForm({ templates, execution }: Client, run: Run, task: RunTask): Promise<Form> {
  const version = await templates.versions.get(run.templateId, run.templateVersionId);
  const fields = version.tasks.find(({ id }) => id === task.taskId)?.fields ?? [];
  const entries = await Array.fromAsync(execution.entries(task.runTaskId));
  const entry = entries.find(({ status }) => status === 'OPEN') ?? null;
  const values = new Map(entry?.fieldValues.map(({ runTaskFieldId, value }) => [runTaskFieldId, value]));
  return { task, fields, entry, values };
}
