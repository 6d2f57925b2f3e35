import {
  isApiError,
  isAuthenticationError,
  isConnectionError,
  isFeatureLocked,
  isNotFound,
  isPermissionError,
  isRateLimited,
  isTimeout,
  isValidationError,
  type ApiError,
} from '@runward/sdk';
import { isFindError, type FindError } from '@runward/sdk/find';
import { isWebhookVerificationError } from '@runward/webhooks';
import { CommanderError } from 'commander';
import { CliError, exitCodes, messageOf, reworded, type ExitCode } from './errors.ts';

/** The report of an error: lines, or one JSON object with `-o json`. */
export interface ErrorReport {
  readonly error: string;
  readonly messages: readonly string[];
  readonly exitCode: ExitCode;
  readonly statusCode?: number;
  readonly code?: string;
  readonly requestId?: string;
  readonly capability?: string;
  readonly missingScope?: string;
  readonly retryAfterSeconds?: number;
}

const titles: Readonly<Record<ExitCode, string>> = {
  0: 'OK',
  1: 'Failed',
  2: 'Usage',
  3: 'Not Found',
  4: 'Not Allowed',
  5: 'Too Many Requests',
  6: 'Rejected',
  7: 'Differs',
  124: 'Timed Out',
  130: 'Interrupted',
  143: 'Terminated',
};

/** The commands that list records, by the word that messages use for the record. */
const lists: Readonly<Record<string, string>> = {
  'active member': 'users list',
  'data source': 'data list',
  folder: 'folders list',
  portal: 'portals list',
  row: 'data rows',
  run: 'runs list --fields publicId,id,title',
  template: 'templates list',
  view: 'views list',
  webhook: 'webhooks list',
};

/** The report of any error, with its exit code. */
export function report(error: unknown): ErrorReport {
  if (error instanceof CliError) {
    return { error: titles[error.exitCode], messages: error.messages, exitCode: error.exitCode };
  }
  if (isFindError(error)) return reportFindError(error);
  if (error instanceof CommanderError) {
    const messages = error.message.replace(/^error: /, '').split('\n');
    return { error: titles[2], messages, exitCode: error.exitCode === 0 ? 0 : exitCodes.usage };
  }
  if (isApiError(error)) {
    return {
      error: error.error,
      messages: messagesOf(error),
      exitCode: exitCodeOf(error),
      statusCode: error.statusCode,
      ...(error.code !== null && { code: error.code }),
      ...(error.requestId !== null && { requestId: error.requestId }),
      ...(isFeatureLocked(error) && error.capability !== null && { capability: error.capability }),
      ...(isPermissionError(error) && error.missingScope !== null && { missingScope: error.missingScope }),
      ...(error.retryAfterSeconds !== null && { retryAfterSeconds: error.retryAfterSeconds }),
    };
  }
  const messages = [messageOf(error)];
  if (isWebhookVerificationError(error)) return { error: error.code, messages, exitCode: exitCodes.rejected };
  const name = isConnectionError(error) ? 'Connection Failed' : isTimeout(error) ? 'Timeout' : titles[1];
  return { error: name, messages, exitCode: exitCodes.failure };
}

function reportFindError({ noun, reason, messages, suggests }: FindError): ErrorReport {
  const list = suggests ? undefined : lists[noun];
  const exitCode = reason === 'none' ? exitCodes.notFound : exitCodes.usage;
  const lines = list === undefined ? messages : [`${messages.join(' ')} See: runward ${list}`];
  return { error: titles[exitCode], messages: lines, exitCode };
}

/** The messages of an error of the server, or what came instead of them. */
function messagesOf({ statusCode, messages, body }: ApiError): readonly string[] {
  // The SDK wrote the message, because it did not follow a redirect.
  if (statusCode < 400) return messages.map(reworded);
  const content = body === '' ? 'without content' : isPage(messages) ? 'and a page of HTML' : null;
  if (content === null) return messages;
  return [
    `The server, or a proxy in front of it, responded with ${statusCode} ${content}. Try again later, or check the URL of the server.`,
  ];
}

/** Whether an error body comes from a proxy instead of the API. */
function isPage([first = '']: readonly string[]): boolean {
  return /^\s*<(?:!doctype|html)/i.test(first);
}

function exitCodeOf(error: unknown): ExitCode {
  if (isNotFound(error)) return exitCodes.notFound;
  if (isAuthenticationError(error) || isFeatureLocked(error) || isPermissionError(error)) return exitCodes.notAllowed;
  if (isRateLimited(error)) return exitCodes.rateLimited;
  return isValidationError(error) ? exitCodes.rejected : exitCodes.failure;
}
