import type { Redirect } from '../../page.ts';
import { rejectionOf, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors, type Labels } from './form-errors.ts';

/** What is wrong with a form, for the page that shows it again. Nothing when it is first shown. */
export type Rejection = Pick<ConsoleView, 'errors' | 'status'>;

/** Shows a page with a form, also again after the form was rejected. */
type ShowForm = (request: ConsoleRequest, rejection: Required<Rejection>) => Promise<ConsoleView>;

/** Does what a form asks for and leads to the path that `act` returns. If that is rejected, the page is shown again. */
export async function unlessRejected(
  request: ConsoleRequest,
  act: () => PromiseLike<string>,
  show: ShowForm,
  labels?: Labels,
): Promise<ConsoleView | Redirect> {
  try {
    return { redirectTo: await act() };
  } catch (error) {
    const { status, messages } = rejectionOf(error);
    return show(request, { status, errors: formErrors(messages, labels) });
  }
}
