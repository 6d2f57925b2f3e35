import { contract } from '@runward/contract';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import { passwordFields, showAccount } from './show-account.ts';

/** Changes the password of the signed-in member. Nothing that was entered is shown again. */
export async function changePassword(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, form } = request;
  const newPassword = form.get('newPassword') ?? '';
  const rejected = (messages: readonly string[]) =>
    showAccount(request, { errors: formErrors(messages, passwordFields) });
  if (newPassword !== form.get('repeatedPassword')) {
    return rejected(['repeatedPassword: must be the same as the new password; enter both again']);
  }
  try {
    const body = { currentPassword: form.get('currentPassword') ?? '', newPassword };
    await call(api, contract.auth.changePassword, { body });
  } catch (error) {
    return rejected(rejectionOf(error).messages);
  }
  return { redirectTo: `${consolePaths.account}?notice=passwordChanged` };
}
