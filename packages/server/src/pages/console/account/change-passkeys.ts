import { contract } from '@runward/contract';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import { nameOnly } from '../forms/one-name.ts';
import { fieldOf } from './passkeys.ts';
import { showAccount } from './show-account.ts';

/** Renames a passkey of the signed-in member. */
export async function renamePasskey(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, form, params } = request;
  try {
    await call(api, contract.auth.renamePasskey, { params, body: { name: form.get('name') ?? '' } });
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    if (status !== 400) throw error;
    return showAccount(request, { errors: formErrors(messages, nameOnly, () => fieldOf(params['id'] ?? '')) });
  }
  return { redirectTo: `${consolePaths.account}?notice=changed` };
}

/** Removes a passkey of the signed-in member. */
export async function deletePasskey({ api, params }: ConsoleRequest): Promise<Redirect> {
  await call(api, contract.auth.deletePasskey, { params });
  return { redirectTo: `${consolePaths.account}?notice=passkeyRemoved` };
}
