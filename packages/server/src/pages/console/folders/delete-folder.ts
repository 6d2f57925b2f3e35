import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { confirmForm } from '../forms/confirm-form.ts';
import { formErrors, type FormError } from '../forms/form-errors.ts';

/** Asks whether to delete a folder. */
export async function confirmDeletion(request: ConsoleRequest): Promise<ConsoleView> {
  return confirmation(request, []);
}

/** Deletes an empty folder. */
export async function deleteFolder(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params } = request;
  try {
    await api.folders.delete(params['id'] ?? '');
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    return { ...(await confirmation(request, formErrors(messages))), status };
  }
  return { redirectTo: `${consolePaths.folders}?notice=folderDeleted` };
}

async function confirmation(request: ConsoleRequest, errors: readonly FormError[]): Promise<ConsoleView> {
  const { api, params } = request;
  const { id, name, templateCount } = await api.folders.get(params['id'] ?? '');
  const templates =
    templateCount === 0 ? 'no templates' : templateCount === 1 ? '1 template' : `${templateCount} templates`;
  const main = html`<p>
      <strong><bdi>${name}</bdi></strong> contains ${templates}. Only an empty folder can be deleted. It cannot be
      restored.
    </p>
    ${confirmForm(request, { button: 'Delete the folder', back: `${consolePaths.folders}/${id}` })}`;
  return { title: 'Delete this folder?', section: 'folders', errors, main };
}
