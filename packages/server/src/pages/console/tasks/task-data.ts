import { contract } from '@runward/contract';
import { isActive } from '@runward/engine';
import type { ExecutionEntry, Field, File, Run, TaskListItem } from '@runward/sdk';
import { loadForm, visibleFields, type Form } from '@runward/sdk/form';
import { notFound } from '../../../api-error.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { ifExists } from '../if-exists.ts';
import { isGuest, may } from '../may.ts';
import { loadPeople, type People } from '../people.ts';

/** What the page of a task shows. */
export interface TaskData {
  readonly task: TaskListItem;
  /** Its entry is the open one that the page shows, if any. */
  readonly form: Form;
  /** The fields that rules do not hide. */
  readonly fields: Form['fields'];
  /** The entry that the page shows: open or completed, or none yet. */
  readonly entry: ExecutionEntry | null;
  /** Whether answers can be saved. */
  readonly isOpen: boolean;
  readonly people: People;
  /** What guests do not see. */
  readonly around: Around | null;
  /** The files of the run; for guests those of the entry. */
  readonly files: readonly File[];
}

/** The run that a task belongs to. */
interface Around {
  readonly run: Run;
  /**
   * The fields of all tasks, in the version of the template that the run follows. Those of this task alone if the
   * template was deleted.
   */
  readonly fields: readonly Field[];
  /** The group that the template assigns the task to. */
  readonly assigneeGroupId: string | null;
}

/** The most files of a run whose names a page knows. */
const maximumFiles = 1000;

/** Loads a task of a run with its form. `wanted` is an entry of it, or `new`; by default, what the query names. */
export async function loadTask(
  request: ConsoleRequest,
  wanted: string | null = request.query.get('entry'),
): Promise<TaskData> {
  const { api, params, visitor } = request;
  const newest = await loadForm(api, { runTaskId: params['runTaskId'] ?? '' });
  const { task } = newest;
  const form = wanted === null ? newest : await formOf(api, newest, wanted);
  const entry = form.entry ?? (task.repeatable ? null : form.completed);
  const [people, around, files] = await Promise.all([
    loadPeople(request),
    isGuest(visitor) ? null : loadAround(api, newest),
    loadFiles(request, task, entry),
  ]);
  const fields = visibleFields(form);
  return {
    task,
    form,
    fields,
    entry,
    isOpen: may(visitor, contract.execution.open) && isOpen(task, entry),
    people,
    around,
    files,
  };
}

async function loadAround({ runs, templates }: ConsoleRequest['api'], { task, fields }: Form): Promise<Around> {
  const run = await runs.get(task.runId, { include: 'fieldValues' });
  const version = await ifExists(templates.versions.get(run.templateId, run.templateVersionId));
  const definition = version?.tasks.find(({ id }) => id === task.taskId);
  return {
    run,
    fields: version?.tasks.flatMap((each) => each.fields) ?? fields,
    assigneeGroupId: definition?.assigneeGroupId ?? null,
  };
}

async function loadFiles(
  { api, visitor }: ConsoleRequest,
  { runId }: TaskListItem,
  entry: ExecutionEntry | null,
): Promise<File[]> {
  if (!isGuest(visitor)) return api.files.list({ runId }).toArray({ limit: maximumFiles });
  return entry ? api.files.list({ executionEntryId: entry.id }).toArray({ limit: maximumFiles }) : [];
}

async function formOf(api: ConsoleRequest['api'], form: Form, wanted: string): Promise<Form> {
  if (wanted === 'new') return { ...form, entry: null, values: new Map() };
  // A form contains the newest entries only.
  const entry = form.entries.find(({ id }) => id === wanted) ?? (await api.execution.get(wanted));
  if (entry.runTaskId !== form.task.runTaskId) throw notFound('Entry');
  const values = new Map(entry.fieldValues.map(({ runTaskFieldId, value }) => [runTaskFieldId, value]));
  return { ...form, entry, values };
}

function isOpen(task: TaskListItem, entry: ExecutionEntry | null): boolean {
  if (!isActive({ status: task.runStatus }) || task.hidden || task.retired) return false;
  if (entry) return entry.status === 'OPEN' && task.status !== 'COMPLETED';
  return task.status !== 'COMPLETED' || task.repeatable;
}
