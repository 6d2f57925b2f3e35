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
} from '@runward/sdk';
import { isWebhookVerificationError } from '@runward/webhooks';
import { CommanderError } from 'commander';

/** The exit codes; the README and `runward --help` list them. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  rateLimited: 5,
  rejected: 6,
  differs: 7,
  timedOut: 124,
  interrupted: 130,
  terminated: 143,
} as const;

/** An exit code. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error of the command itself, with one message per problem. Errors of the server stay errors of the SDK. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly messages: readonly string[];

  constructor(exitCode: ExitCode, messages: readonly string[]) {
    super(messages.join('\n'));
    this.exitCode = exitCode;
    this.messages = messages;
  }
}

/** The error of a failure that no input caused, like a file that cannot be read. */
export function failure(...messages: string[]): CliError {
  return new CliError(exitCodes.failure, messages);
}

/** The error of an invalid command line. */
export function usage(...messages: string[]): CliError {
  return new CliError(exitCodes.usage, messages);
}

/** The error of a name or an ID that does not exist. */
export function notFound(...messages: string[]): CliError {
  return new CliError(exitCodes.notFound, messages);
}

/** The error of a missing API key. */
export function notAllowed(...messages: string[]): CliError {
  return new CliError(exitCodes.notAllowed, messages);
}

/** The error of invalid content (a template file, a CSV row, a value), or of an action the current state does not allow. */
export function rejected(...messages: string[]): CliError {
  return new CliError(exitCodes.rejected, messages);
}

/** The error of a command that was stopped: by Ctrl-C, or by Escape at a question. */
export function interrupted(): CliError {
  return new CliError(exitCodes.interrupted, ['Interrupted.']);
}

/** Escape at a question: steps back to the previous one, or stops a command that cannot step back. */
export class Escaped extends CliError {
  constructor() {
    super(exitCodes.interrupted, ['Interrupted.']);
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The message of the SDK names its option.
  return isTimeout(error) ? error.message.replace('raise `timeoutMs`', 'set a longer --timeout') : error.message;
}

/** Whether an error is that of an interruption. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === exitCodes.interrupted;
}

/** An error as it is reported: as lines, or as one JSON object with `-o json`. */
export interface ErrorReport {
  readonly error: string;
  readonly messages: readonly string[];
  readonly exitCode: ExitCode;
  readonly statusCode?: number;
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

/** The report of any error, with its exit code. */
export function report(error: unknown): ErrorReport {
  if (error instanceof CliError) {
    return { error: titles[error.exitCode], messages: error.messages, exitCode: error.exitCode };
  }
  if (error instanceof CommanderError) {
    const messages = error.message.replace(/^error: /, '').split('\n');
    return { error: titles[2], messages, exitCode: error.exitCode === 0 ? 0 : exitCodes.usage };
  }
  if (isApiError(error)) {
    return {
      error: error.error,
      messages: error.messages,
      exitCode: exitCodeOf(error),
      statusCode: error.statusCode,
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

function exitCodeOf(error: unknown): ExitCode {
  if (isNotFound(error)) return exitCodes.notFound;
  if (isAuthenticationError(error) || isFeatureLocked(error) || isPermissionError(error)) return exitCodes.notAllowed;
  if (isRateLimited(error)) return exitCodes.rateLimited;
  return isValidationError(error) ? exitCodes.rejected : exitCodes.failure;
}
