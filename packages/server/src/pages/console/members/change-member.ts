import { contract } from '@runward/contract';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import { memberFields } from './member-fields.ts';
import { memberView } from './show-member.ts';

/** Changes the name and the role of a member. */
export async function changeMember(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { form } = request;
  return update(request, { name: form.get('name') ?? '', role: form.get('role') ?? '' }, 'changed');
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

async function update(request: ConsoleRequest, body: object, notice: string): Promise<ConsoleView | Redirect> {
  const { api, params } = request;
  try {
    const { id } = await call(api, contract.users.update, { params, body });
    return { redirectTo: `${consolePaths.members}/${id}?notice=${notice}` };
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    return memberView(request, { status, errors: formErrors(messages, memberFields) });
  }
}
