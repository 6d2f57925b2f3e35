import { contract } from '@runward/contract';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { nameOnly } from '../forms/one-name.ts';
import { unlessRejected } from '../forms/unless-rejected.ts';
import { showGroup } from './show-group.ts';

/** Renames a group. */
export async function renameGroup(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  return update(request, { name: request.form.get('name') ?? '' }, 'changed');
}

/** Adds the chosen members to a group, or removes them from it. */
export async function changeGroupMembers(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params, form } = request;
  const [added, removed] = [form.getAll('add'), new Set(form.getAll('remove'))];
  if (added.length === 0 && removed.size === 0) {
    return showGroup(request, { errors: [{ fieldId: null, message: 'Choose at least one member.' }] });
  }
  const { memberIds } = await api.groups.get(params['id'] ?? '');
  const changed = new Set([...memberIds.filter((id) => !removed.has(id)), ...added]);
  return update(request, { memberIds: [...changed] }, removed.size > 0 ? 'removed' : 'added');
}

async function update(request: ConsoleRequest, body: object, notice: string): Promise<ConsoleView | Redirect> {
  const { api, params } = request;
  const act = async () => {
    const { id } = await call(api, contract.groups.update, { params, body });
    return `${consolePaths.groups}/${id}?notice=${notice}`;
  };
  return unlessRejected(request, act, showGroup, nameOnly);
}
