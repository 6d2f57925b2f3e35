import { openAsBlob } from 'node:fs';
import { badRequest } from '../../../api-error.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { pathWith } from '../next-page.ts';
import { whyClosed } from './render-task.ts';
import { refused } from './submit-task.ts';
import { loadTask } from './task-data.ts';

/** Attaches a file to a field. Opens an entry if there is none. */
export async function uploadFile(sent: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, file, form, params } = sent;
  if (!file) throw badRequest('validation_failed', 'Choose a file.');
  const request = { ...sent, path: `${consolePaths.tasks}/${params['runTaskId']}` };
  const data = await loadTask(request);
  if (!data.isOpen) return refused(request, 409, [`${whyClosed(data)} The file was not attached.`]);
  const runTaskFieldId = form.get('field') ?? '';
  try {
    const entry = data.form.entry ?? (await api.execution.open({ runTaskId: data.task.runTaskId }));
    const content = new File([await openAsBlob(file.path)], file.fileName);
    await api.files.directUpload({ executionEntryId: entry.id, runTaskFieldId, file: content });
    return { redirectTo: pathWith(request, { ...(data.task.repeatable && { entry: entry.id }), notice: 'saved' }) };
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    return refused(request, status, [], new Map([[runTaskFieldId, messages.join(' ')]]));
  }
}

/** Leads from the address to which files are sent to the page of the task. */
export async function showUpload({ params }: ConsoleRequest): Promise<Redirect> {
  return { redirectTo: `${consolePaths.tasks}/${params['runTaskId']}` };
}
