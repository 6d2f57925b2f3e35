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

/** What the process ends with; the README and `runward --help` list them. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  rateLimited: 5,
  refused: 6,
  interrupted: 130,
} as const;

/** A way to end. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error of the command itself, with one message for each problem. What the server refuses stays an error of the SDK. */
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

/** Something went wrong that is nobody's input: a file that cannot be read, a run that was cancelled. */
export function failure(...messages: string[]): CliError {
  return new CliError(exitCodes.failure, messages);
}

/** The command line is wrong. */
export function usage(...messages: string[]): CliError {
  return new CliError(exitCodes.usage, messages);
}

/** What was named does not exist. */
export function missing(...messages: string[]): CliError {
  return new CliError(exitCodes.notFound, messages);
}

/** There is no key to ask with. */
export function denied(...messages: string[]): CliError {
  return new CliError(exitCodes.denied, messages);
}

/** The content is wrong (a template file, a CSV row, a value), or the process does not allow it now. */
export function refused(...messages: string[]): CliError {
  return new CliError(exitCodes.refused, messages);
}

/** The person pressed Ctrl-C, or Escape at a question. */
export function interrupted(): CliError {
  return new CliError(exitCodes.interrupted, ['Stopped.']);
}

/** An error as it is reported: as lines for people, as one JSON object with `-o json`. */
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
  6: 'Refused',
  130: 'Interrupted',
};

/** Puts any error into the words and the exit code the command reports it with. */
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
  const messages = [error instanceof Error ? error.message : String(error)];
  if (isWebhookVerificationError(error)) return { error: error.code, messages, exitCode: exitCodes.refused };
  const name = isConnectionError(error) ? 'Connection Failed' : isTimeout(error) ? 'Timeout' : titles[1];
  return { error: name, messages, exitCode: exitCodes.failure };
}

function exitCodeOf(error: unknown): ExitCode {
  if (isNotFound(error)) return exitCodes.notFound;
  if (isAuthenticationError(error) || isFeatureLocked(error) || isPermissionError(error)) return exitCodes.denied;
  if (isRateLimited(error)) return exitCodes.rateLimited;
  return isValidationError(error) ? exitCodes.refused : exitCodes.failure;
}
