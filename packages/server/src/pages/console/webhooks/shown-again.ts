import { isRejectedInput, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { formErrors } from '../forms/form-errors.ts';

/** Shows a page again after one of its buttons was rejected, with the reason on top. Throws any other error. */
export async function shownAgain(
  error: unknown,
  request: ConsoleRequest,
  { path, show }: { readonly path: string; readonly show: (request: ConsoleRequest) => Promise<ConsoleView> },
): Promise<ConsoleView> {
  if (!isRejectedInput(error)) throw error;
  const view = await show({ ...request, path, query: new URLSearchParams() });
  return { ...view, hasProblem: true, errors: formErrors(error.messages), status: error.statusCode };
}
