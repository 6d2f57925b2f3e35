import { contract } from '@runward/contract';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import { textField } from '../forms/text-field.ts';
import type { Rejection } from '../forms/unless-rejected.ts';
import { memberFields, nameField, passwordField, roleField } from './member-fields.ts';
import { linkView } from './password-link.ts';

const passwordHint =
  'Leave it empty to invite the member with a link, with which they choose it. Or enter 8 to 128 characters and tell them.';

/** The form for a new member. */
export async function newMember(request: ConsoleRequest, { errors = [] }: Rejection = {}): Promise<ConsoleView> {
  const { csrf, path, form: entered } = request;
  const main = html`<form class="form" method="post" action="${path}">
    ${csrf} ${nameField(entered.get('name') ?? '', errors)}
    ${textField({
      id: 'email',
      label: memberFields.email,
      hint: 'The member signs in with it. It cannot be changed later.',
      value: entered.get('email') ?? '',
      errors,
      attributes: html`type="email" autocomplete="off"`,
    })}
    ${roleField(request, entered.get('role') ?? 'MEMBER', errors)} ${passwordField(passwordHint, errors, true)}
    <div class="actions">
      <button type="submit">Add the member</button>
      <a class="button quiet" href="${consolePaths.members}">Cancel</a>
    </div>
  </form>`;
  return { title: 'Add a member', section: 'members', errors, main };
}

/** What the form may leave out. */
const optional: ReadonlySet<string> = new Set(['password', 'resourceMode']);

/**
 * Adds a member. Without a password, the page with the link follows with which they choose one. If something is wrong,
 * the form is shown again with what was entered.
 */
export async function addMember(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, form: sent } = request;
  const entered = Object.keys(memberFields).map((name) => [name, sent.get(name) ?? ''] as const);
  const isInvited = (sent.get('password') ?? '') === '';
  const body = Object.fromEntries(entered.filter(([name, text]) => text !== '' || !optional.has(name)));
  let id: string;
  try {
    ({ id } = await call(api, contract.users.create, { body }));
  } catch (error) {
    return newMember(request, { errors: formErrors(rejectionOf(error).messages, memberFields) });
  }
  if (!isInvited) return { redirectTo: `${consolePaths.members}/${id}?notice=memberAdded` };
  try {
    return linkView(request, id, await call(api, contract.users.createPasswordLink, { params: { id } }));
  } catch {
    // The member exists by now, so the form must not be sent again. Their page has the button that makes the link.
    return { redirectTo: `${consolePaths.members}/${id}?notice=memberWithoutLink` };
  }
}
