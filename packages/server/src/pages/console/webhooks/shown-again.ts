import { html } from '../../html.ts';
import { isRejectedInput, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { errorSummary, formErrors } from '../forms/form-errors.ts';

/** Shows a page again after one of its buttons was rejected, with the reason on top. Throws any other error. */
export async function shownAgain(
  error: unknown,
  request: ConsoleRequest,
  { path, show }: { readonly path: string; readonly show: (request: ConsoleRequest) => Promise<ConsoleView> },
): Promise<ConsoleView> {
  if (!isRejectedInput(error)) throw error;
  const view = await show({ ...request, path, query: new URLSearchParams() });
  const errors = formErrors(error.messages);
  return { ...view, hasProblem: true, status: error.statusCode, main: html`${errorSummary(errors)} ${view.main}` };
}
