import { contract } from '@runward/contract';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';
import { organizationFields, organizationView } from './show-organization.ts';

/** Changes the organization, unless someone else has done so since the form was shown. */
export async function changeOrganization(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, form } = request;
  const sent = (name: keyof typeof organizationFields) => form.get(name) ?? '';
  const values = { name: sent('name'), timezone: sent('timezone'), remindBefore: sent('remindBefore') };
  // A form without a version conflicts, so that it overwrites nothing.
  const version = encodeURIComponent(form.get('version') || 'none');
  try {
    await call(api, contract.organization.update, { body: values, ifMatch: version });
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    if (status === 403) throw error;
    return organizationView(request, {
      values,
      version: status === 412 ? null : version,
      status,
      // Both values are shown instead of the message.
      errors: status === 412 ? [] : formErrors(messages, organizationFields),
    });
  }
  return { redirectTo: `${consolePaths.organization}?notice=changed` };
}
