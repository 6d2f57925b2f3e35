import { isActive } from '@runward/engine';
import type { ExecutionEntry, FieldValue, File, Run, RunTask, TaskListItem } from '@runward/sdk';
import { loadForm, refreshForm, visibleFields, type Form } from '@runward/sdk/form';
import { found } from '../../../api-error.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { loadPeople, type People } from '../people.ts';

/** What the page of a task shows. */
export interface TaskData {
  readonly task: TaskListItem;
  readonly run: Run;
  /** Its entry is the open one that the page shows, if any. */
  readonly form: Form;
  /** The fields that rules do not hide. */
  readonly fields: Form['fields'];
  /** The entry that the page shows: open or completed, or none yet. */
  readonly entry: ExecutionEntry | null;
  /** All entries, newest first. */
  readonly entries: readonly ExecutionEntry[];
  /** Whether answers can be saved. */
  readonly isOpen: boolean;
  readonly people: People;
  /** The files of the run. */
  readonly files: readonly File[];
}

/** The most files of a run whose names a page knows. */
const maximumFiles = 1000;

/** Loads a task of a run with its form. `wanted` is an entry of it, or `new`; by default, what the query names. */
export async function loadTask(
  { api, params, query }: ConsoleRequest,
  wanted: string | null = query.get('entry'),
): Promise<TaskData> {
  const task = await api.runs.tasks.get(params['runTaskId'] ?? '');
  const [run, people, files] = await Promise.all([
    api.runs.get(task.runId, { include: 'fieldValues' }),
    loadPeople(api),
    api.files.list({ runId: task.runId }).toArray({ limit: maximumFiles }),
  ]);
  const own = found(
    run.tasks.find(({ runTaskId }) => runTaskId === task.runTaskId),
    'Task',
  );
  const entries = own.entries ?? [];
  const newest = await loadForm(api, run, own);
  const form = wanted === null ? newest : await formOf(api, newest, wanted, entries);
  const entry = form.entry ?? (task.repeatable ? null : form.completed);
  return {
    task,
    run,
    form,
    fields: visibleFields(form),
    entry,
    entries,
    isOpen: isOpen(run, own, entry),
    people,
    files,
  };
}

async function formOf(
  api: ConsoleRequest['api'],
  form: Form,
  wanted: string,
  entries: readonly ExecutionEntry[],
): Promise<Form> {
  if (wanted === 'new') return { ...form, entry: null, values: new Map<string, FieldValue>() };
  const { id } = found(
    entries.find(({ id: each }) => each === wanted),
    'Entry',
  );
  return refreshForm(api, form, id);
}

function isOpen(run: Run, task: RunTask, entry: ExecutionEntry | null): boolean {
  if (!isActive(run) || task.hidden || task.retired) return false;
  if (entry) return entry.status === 'OPEN' && task.status !== 'COMPLETED';
  return task.status !== 'COMPLETED' || task.repeatable;
}
