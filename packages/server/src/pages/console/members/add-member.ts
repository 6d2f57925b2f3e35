import { contract } from '@runward/contract';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { errorSummary, formErrors, type FormError } from '../forms/form-errors.ts';
import { textField } from '../forms/text-field.ts';
import { memberFields, nameField, passwordField, roleField } from './member-fields.ts';

/** The form for a new member. */
export async function newMember(request: ConsoleRequest): Promise<ConsoleView> {
  return form(request, []);
}

/** Adds a member. If something is wrong, the form is shown again with what was entered. */
export async function addMember(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, form: sent } = request;
  const body = Object.fromEntries(Object.keys(memberFields).map((name) => [name, sent.get(name) ?? '']));
  try {
    const { id } = await call(api, contract.users.create, { body });
    return { redirectTo: `${consolePaths.members}/${id}?notice=memberAdded` };
  } catch (error) {
    return form(request, formErrors(rejectionOf(error).messages, memberFields));
  }
}

function form(request: ConsoleRequest, errors: readonly FormError[]): ConsoleView {
  const { csrf, path, form: entered } = request;
  const main = html`${errorSummary(errors)}
    <form class="form" method="post" action="${path}">
      ${csrf} ${nameField(entered.get('name') ?? '', errors)}
      ${textField({
        id: 'email',
        label: memberFields.email,
        hint: 'The member signs in with it. It cannot be changed later.',
        value: entered.get('email') ?? '',
        errors,
        attributes: html`type="email" autocomplete="off"`,
      })}
      ${roleField(request, entered.get('role') ?? 'MEMBER', errors)}
      ${passwordField('8 to 128 characters. Tell the member, and ask them to change it under “Your account”.', errors)}
      <div class="actions">
        <button type="submit">Add the member</button>
        <a class="button quiet" href="${consolePaths.members}">Cancel</a>
      </div>
    </form>`;
  const hasProblem = errors.length > 0;
  return { title: 'Add a member', hasProblem, section: 'members', main, status: hasProblem ? 400 : 200 };
}
