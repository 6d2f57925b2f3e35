import { isApiError, isConnectionError, isNotFound, isRunwardError, isTimeout, type ApiError } from '@runward/sdk';
import { isFindError } from '@runward/sdk/find';

/** The reason why a tool did nothing, with one message per error: what is wrong, then what to do. Models read it. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  constructor(...messages: string[]) {
    super(messages.join('\n'));
  }
}

/** How a model can find a record after a lookup failed, by the word that messages use for the record. */
const remedies: Readonly<Record<string, string>> = {
  'active member': ' Use the email address of a member.',
  row: ' Use the label or id of a row of its data source.',
  run: ' List the runs with find_runs.',
  template: ' List the templates with find_templates.',
};

/** How a model can find the id of a record that does not exist, by the message of the API. */
const finders: Readonly<Record<string, string>> = {
  'Run not found.': ' Find its id with find_runs.',
  'Task not found.': ' Find its id with list_tasks, or with describe_template if it is a task of a template.',
  'Template not found.': ' Find its id with find_templates.',
};

/** The message that a model gets for an error of a tool or of the SDK. Null for any other error, which is a defect. */
export function messageOf(error: unknown): string | null {
  if (error instanceof ToolError) return error.message;
  if (isFindError(error)) return error.message + (error.suggests ? '' : (remedies[error.noun] ?? ''));
  if (isApiError(error)) {
    const text = error.messages.join('\n');
    return text + (isNotFound(error) ? (finders[text] ?? '') : '') + codeOf(error);
  }
  if (isConnectionError(error) || isTimeout(error)) return `${error.message} ${remedyOf(error.message)}`;
  return isRunwardError(error) ? error.message : null;
}

/** What to do about a request without a response. Its message begins with the method. */
function remedyOf(message: string): string {
  if (message.startsWith('GET ')) return 'Try again in a moment.';
  return 'The change may have been made all the same: look before you repeat the call.';
}

/** The code on a line of its own. */
function codeOf({ code }: ApiError): string {
  return code === null ? '' : `\n(code: ${code})`;
}
