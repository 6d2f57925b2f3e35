import { contract } from '@runward/contract';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { unlessRejected } from '../forms/unless-rejected.ts';
import { isChanged } from '../forms/was-fields.ts';
import { memberFields, profileFields } from './member-fields.ts';
import { showMember } from './show-member.ts';

/** Changes the name and the role of a member, unless they are as the visitor has seen them. */
export async function changeMember(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { form } = request;
  const changed = profileFields.filter((name) => isChanged(form, name));
  return update(request, Object.fromEntries(changed.map((name) => [name, form.get(name) ?? ''])), 'changed');
}

/** Changes which templates a member has access to. */
export async function changeAccess(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  return update(request, { resourceMode: request.form.get('resourceMode') ?? '' }, 'changed');
}

/** Gives a member a new password. */
export async function setPassword(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  return update(request, { password: request.form.get('password') ?? '' }, 'passwordSet');
}

/** Lets a deactivated member sign in again. */
export async function reactivateMember(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  return update(request, { status: 'ACTIVE' }, 'reactivated');
}

/** Revokes the link with which a member sets their password. */
export async function revokePasswordLink(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params } = request;
  return change(request, 'linkRevoked', () => call(api, contract.users.revokePasswordLink, { params }));
}

/** Removes the passkeys of a member. */
export async function deletePasskeys(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params } = request;
  return change(request, 'passkeysRemoved', () => call(api, contract.users.deletePasskeys, { params }));
}

async function update(request: ConsoleRequest, body: object, notice: string): Promise<ConsoleView | Redirect> {
  const { api, params } = request;
  return change(request, notice, () => call(api, contract.users.update, { params, body }));
}

async function change(
  request: ConsoleRequest,
  notice: string,
  apply: () => Promise<unknown>,
): Promise<ConsoleView | Redirect> {
  const act = async () => {
    await apply();
    return `${consolePaths.members}/${request.params['id']}?notice=${notice}`;
  };
  return unlessRejected(request, act, showMember, memberFields);
}
