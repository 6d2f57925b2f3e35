import { contract } from '@runward/contract';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import { memberView } from './show-member.ts';

/** Removes the passkeys of a member. */
export async function deletePasskeys(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, params } = request;
  try {
    await call(api, contract.users.deletePasskeys, { params });
    return { redirectTo: `${consolePaths.members}/${params['id']}?notice=passkeysRemoved` };
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    return memberView(request, { status, errors: formErrors(messages) });
  }
}
