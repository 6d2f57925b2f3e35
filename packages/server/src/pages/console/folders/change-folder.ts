import pLimit from 'p-limit';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { callsAtOnce, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { nameOnly } from '../forms/one-name.ts';
import { unlessRejected } from '../forms/unless-rejected.ts';
import { showFolder } from './show-folder.ts';

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
    return showFolder(request, { errors: [{ fieldId: null, message: 'Choose at least one template.' }] });
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
  const act = async () => {
    await apply();
    return `${consolePaths.folders}/${request.params['id']}?notice=${notice}`;
  };
  return unlessRejected(request, act, showFolder, nameOnly);
}
