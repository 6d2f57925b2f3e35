import { userRoles } from '@runward/contract';
import { inWords } from '../../../words.ts';
import { html, type Markup } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { fieldErrors, type FormError } from '../forms/form-errors.ts';
import { select } from '../forms/select.ts';
import { textField } from '../forms/text-field.ts';

/** The fields of the forms of members, by the names of the API. */
export const memberFields = {
  name: 'Name',
  email: 'Email address',
  role: 'Role',
  resourceMode: 'Access',
  password: 'Password',
} as const;

/** The fields of the form for what a member is. */
export const profileFields = ['name', 'role'] as const;

/** Whether the visitor may change a member with a role: only owners manage owners. */
export function mayManage({ visitor }: ConsoleRequest, role: string): boolean {
  return role !== 'OWNER' || visitor.actor.role === 'OWNER';
}

/** The field for a name. */
export function nameField(value: string, errors: readonly FormError[]): Markup {
  return textField({ id: 'name', label: memberFields.name, value, errors, attributes: html`maxlength="255"` });
}

/** The field for a role, with those that the visitor may give. */
export function roleField(request: ConsoleRequest, value: string, errors: readonly FormError[]): Markup {
  const roles = userRoles.filter((role) => mayManage(request, role)).toReversed();
  return select({
    id: 'role',
    name: 'role',
    label: memberFields.role,
    hint: html`Guests only do the tasks that are assigned to them. Viewers only read. Members do tasks, and change
    templates, runs and folders. Owners and admins also manage members, groups, keys and settings. Only owners manage
    owners.`,
    options: roles.map((role) => ({ value: role, text: inWords(role) })),
    value,
    error: fieldErrors(errors, 'role'),
  });
}

/** The field for a password that someone else will use. */
export function passwordField(hint: string, errors: readonly FormError[], isOptional = false): Markup {
  // It is shown while it is entered, because it has to be passed on.
  const attributes = html`autocomplete="off" spellcheck="false" autocapitalize="none"`;
  return textField({ id: 'password', label: memberFields.password, hint, errors, isOptional, attributes });
}
