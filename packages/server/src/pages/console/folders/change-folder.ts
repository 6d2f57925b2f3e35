import pLimit from 'p-limit';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { callsAtOnce, rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import { nameOnly } from '../forms/one-name.ts';
import { folderView } from './show-folder.ts';

/** Renames a folder. */
export async function renameFolder(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params, form } = request;
  return change(request, 'changed', () => api.folders.update(params['id'] ?? '', { name: form.get('name') ?? '' }));
}

/** Moves the chosen templates to a folder, or out of every folder. */
export async function moveTemplates(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params, form } = request;
  const ids = form.getAll('template');
  if (ids.length === 0) {
    return folderView(request, { status: 400, errors: [{ fieldId: null, message: 'Choose at least one template.' }] });
  }
  const folderId = form.get('to') || null;
  // Otherwise the templates would be moved, and the page that follows would not exist.
  await api.folders.get(params['id'] ?? '');
  return change(request, 'moved', () => pLimit(callsAtOnce).map(ids, (id) => api.templates.update(id, { folderId })));
}

async function change(
  request: ConsoleRequest,
  notice: string,
  apply: () => PromiseLike<unknown>,
): Promise<ConsoleView | Redirect> {
  try {
    await apply();
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    return folderView(request, { status, errors: formErrors(messages, nameOnly) });
  }
  return { redirectTo: `${consolePaths.folders}/${request.params['id']}?notice=${notice}` };
}
