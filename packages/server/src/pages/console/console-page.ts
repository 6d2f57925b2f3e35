import { ApiError as CallError, RunwardError } from '@runward/sdk';
import { ApiError } from '../../api-error.ts';
import { isSameToken } from '../../organization/session-token.ts';
import { html, type Child, type Markup } from '../html.ts';
import type { HtmlPage, Page, PageRequest, PageResponse, Redirect, Visitor } from '../page.ts';
import { signInPath } from '../paths.ts';
import { resumePage } from '../sign-in/resume.ts';
import { signInAgain } from '../sign-in/sign-in.ts';
import { consoleLayout, type ConsoleSection } from './console-layout.ts';
import { formatsFor, type Formats } from './formats.ts';
import { formErrors, type FormError, type Labels } from './forms/form-errors.ts';

/** How many calls of one page are under way at once, if there is one per record. */
export const callsAtOnce = 8;

/** A request for a page of the console, by a member who has signed in. */
export interface ConsoleRequest extends PageRequest {
  readonly visitor: Visitor;
  /** Calls endpoints as the member. An error of it that a page does not handle is shown as a page. */
  readonly api: Visitor['api'];
  readonly formats: Formats;
  /** The hidden field that every form of the console contains. */
  readonly csrf: Markup;
}

/** What a page of the console shows. */
export interface ConsoleView {
  /** Also the heading of the page. */
  readonly title: string;
  /**
   * Whether a form is shown again because of errors in it. The title then begins with "Error: ", the heading does not.
   * Default: if there are `errors`.
   */
  readonly hasProblem?: boolean;
  /** What is wrong with a form that is shown again, to list above `main`. Default: nothing. */
  readonly errors?: readonly FormError[];
  readonly section: ConsoleSection;
  readonly main: Child;
  /** Default: 400 if there are `errors`, otherwise 200. */
  readonly status?: number;
}

/** What a page of the console does. */
export type ShowConsole = (request: ConsoleRequest) => Promise<ConsoleView | Redirect>;

/**
 * Makes a page of the console. It leads strangers to the form for signing in, which keeps what they sent, and checks
 * the CSRF token of every form in one place. An error is shown inside the console, with what to do.
 */
export function consolePage(show: ShowConsole): Page['show'] {
  return async (request) => {
    const visitor = await request.findVisitor();
    if (!visitor) return signInFirst(request);
    if (request.method === 'POST' && !isSameToken(request.form.get('csrf') ?? '', visitor.csrfToken)) {
      // Another member may have signed in since the form was shown, who would be the one to have sent it.
      const problem = `This form was out of date, so nothing was changed yet. You are signed in as ${visitor.name}.`;
      return sendAgain(request, visitor, { title: 'Send the form again?', problem, status: 403 });
    }
    try {
      const { api, actor, csrfToken } = visitor;
      const response = await show({
        ...request,
        visitor,
        api,
        formats: formatsFor(request.acceptLanguage, actor.timeZone),
        csrf: html`<input type="hidden" name="csrf" value="${csrfToken}" />`,
      });
      return 'redirectTo' in response ? response : render(request, visitor, response);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.status === 401) return signInFirst(request);
      // The endpoint has said what is wrong for now, so that the form can be sent again.
      if (isTemporary(error) && request.method === 'POST') {
        const problem = error.messages.join(' ');
        return sendAgain(request, visitor, { title: 'This did not work', problem, status: error.statusCode });
      }
      // What happened is logged, and shown without its cause.
      if (failure.status >= 500 && !isTemporary(error)) throw error;
      return render(request, visitor, errorView(failure));
    }
  };
}

function render({ query }: PageRequest, visitor: Visitor, { errors = [], ...view }: ConsoleView): HtmlPage {
  const { status = errors.length > 0 ? 400 : 200 } = view;
  return { status, html: consoleLayout({ ...view, errors, visitor, query }), hasScripts: true };
}

/** What is sent without a session is not lost, except files. */
function signInFirst(request: PageRequest): PageResponse {
  const { method, path, search, form, file } = request;
  const action = path + search;
  if (method === 'GET' || file || form.size === 0)
    return { redirectTo: `${signInPath}?${new URLSearchParams({ next: action }).toString()}` };
  return signInAgain(request, { action, fields: form });
}

/**
 * A page that keeps what was sent, and sends it if the visitor continues. Files are not kept: they are chosen again.
 */
function sendAgain(
  request: PageRequest,
  visitor: Visitor,
  { problem, ...why }: { readonly title: string; readonly problem: string; readonly status: number },
): PageResponse {
  const { path, search, form, file } = request;
  if (file) {
    const first = why.status === 403 ? 'Press Save first, then choose the file again.' : 'Choose the file again.';
    const main = html`<p>${problem} ${first}</p>
      <p><a class="button" href="${path}">Back to the form</a></p>`;
    return render(request, visitor, { ...why, title: 'This did not work', section: null, main });
  }
  const text = `${problem} Continue to send the form again.`;
  return resumePage({ action: path + search, fields: form }, { ...why, text, csrfToken: visitor.csrfToken });
}

/** Whether a call failed that can succeed later: too many requests, or the service is unavailable. */
function isTemporary(error: unknown): error is CallError {
  return error instanceof CallError && (error.statusCode === 429 || error.statusCode === 503);
}

/** Whether an endpoint has rejected what a form contains, so that the form is shown again. */
export function isRejectedInput(error: unknown): error is CallError {
  return error instanceof CallError && (error.statusCode === 400 || error.statusCode === 402);
}

/** What is wrong with the fields of a form, if an endpoint has rejected what it contains. Throws any other error. */
export function rejectedFields(error: unknown, labels: Labels, idOf?: (property: string) => string): FormError[] {
  if (!isRejectedInput(error)) throw error;
  return formErrors(error.messages, labels, idOf);
}

interface Failure {
  readonly status: number;
  readonly messages: readonly string[];
}

const notUnderstood = 'This address or form is incomplete. Go back, reload the page, and try again.';

/** What a page says about an error: its status, and its messages. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallError) return { status: error.statusCode, messages: error.messages };
  if (error instanceof ApiError) return { status: error.status, messages: [error.messages].flat() };
  // An address or a form that no page leads to, such as one with an empty id, has no endpoint to be sent to.
  if (error instanceof RunwardError && error.name === 'RunwardError') return { status: 400, messages: [notUnderstood] };
  return { status: 500, messages: [] };
}

/** What a form says about an error that it can show. Throws any other: the session has ended, or the service failed. */
export function rejectionOf(error: unknown): Failure {
  const failure = failureOf(error);
  if (failure.status === 401 || failure.status >= 500) throw error;
  return failure;
}

function errorView({ status, messages }: Failure): ConsoleView {
  const title = status === 404 ? 'Not found' : 'This did not work';
  const text =
    status === 404
      ? html`<p>There is nothing at this address, or it is not open to you. Check the address, or search for it.</p>`
      : messages.map((message) => html`<p>${message}</p>`);
  return { status, title, section: null, main: text };
}
