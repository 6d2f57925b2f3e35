import { contract } from '@runward/contract';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { confirmForm } from '../forms/confirm-form.ts';
import { unlessRejected, type Rejection } from '../forms/unless-rejected.ts';

/** Asks whether to delete a group, and says what happens to its tasks. */
export async function confirmDeletion(request: ConsoleRequest, rejection: Rejection = {}): Promise<ConsoleView> {
  const { api, params, formats } = request;
  const { id, name, memberIds } = await api.groups.get(params['id'] ?? '');
  const count = memberIds.length;
  const main = html`<p>
      <strong><bdi>${name}</bdi></strong> has ${count === 1 ? '1 member' : `${formats.number(count)} members`}. Nobody
      leaves the organization. Completed tasks keep the group. It cannot be restored.
    </p>
    <p>
      A group can be deleted once no open task is assigned to it, and no draft or published version of a template names
      it.
    </p>
    ${confirmForm(request, { button: 'Delete the group', back: `${consolePaths.groups}/${id}` })}`;
  return { title: 'Delete this group?', section: 'groups', main, ...rejection };
}

/** Deletes a group. If it is in use, the page says by what. */
export async function deleteGroup(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const remove = async () => {
    await call(request.api, contract.groups.delete, { params: request.params });
    return `${consolePaths.groups}?notice=groupDeleted`;
  };
  return unlessRejected(request, remove, confirmDeletion);
}
