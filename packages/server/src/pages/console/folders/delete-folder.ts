import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { confirmForm } from '../forms/confirm-form.ts';
import { unlessRejected, type Rejection } from '../forms/unless-rejected.ts';

/** Asks whether to delete a folder. */
export async function confirmDeletion(request: ConsoleRequest, rejection: Rejection = {}): Promise<ConsoleView> {
  const { api, params } = request;
  const { id, name, templateCount } = await api.folders.get(params['id'] ?? '');
  const templates =
    templateCount === 0 ? 'no templates' : templateCount === 1 ? '1 template' : `${templateCount} templates`;
  const main = html`<p>
      <strong><bdi>${name}</bdi></strong> contains ${templates}. Only an empty folder can be deleted. It cannot be
      restored.
    </p>
    ${confirmForm(request, { button: 'Delete the folder', back: `${consolePaths.folders}/${id}` })}`;
  return { title: 'Delete this folder?', section: 'folders', main, ...rejection };
}

/** Deletes an empty folder. */
export async function deleteFolder(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const remove = async () => {
    await request.api.folders.delete(request.params['id'] ?? '');
    return `${consolePaths.folders}?notice=folderDeleted`;
  };
  return unlessRejected(request, remove, confirmDeletion);
}
