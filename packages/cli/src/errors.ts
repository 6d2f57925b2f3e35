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

/** An error of the command itself, with one message per problem. Errors of the server remain errors of the SDK. */
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

/** Creates an error that no input caused, such as a file that cannot be read. */
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

/** The error of a missing or malformed API key. */
export function notAllowed(...messages: string[]): CliError {
  return new CliError(exitCodes.notAllowed, messages);
}

/**
 * Creates an error for invalid content (a template file, a CSV row, a value), or for an action that the current state
 * does not allow.
 */
export function rejected(...messages: string[]): CliError {
  return new CliError(exitCodes.rejected, messages);
}

/** Creates an error that lists lines of a file. There can be more of them than a call takes arguments. */
export function rejectedLines(summary: string, lines: readonly string[]): CliError {
  return new CliError(exitCodes.rejected, [summary, ...lines]);
}

/** Creates the error of a command that was stopped, by Ctrl-C or by Escape at a question. */
export function interrupted(): CliError {
  return new CliError(exitCodes.interrupted, ['Interrupted.']);
}

/** Escape at a question. It returns to the previous question, or stops a command that cannot go back. */
export class Escaped extends CliError {
  constructor() {
    super(exitCodes.interrupted, ['Interrupted.']);
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? reworded(error.message) : String(error);
}

/** A message of the SDK, which names the options of the SDK, with those of the command. */
export function reworded(message: string): string {
  return message
    .replace('raise `timeoutMs`', 'set a longer --timeout')
    .replaceAll(/\bbaseUrl\b/g, 'the URL of the server')
    .replace(/[0-9A-F]{8,}:error:\w+:SSL routines:\w*:([^:]+):\S*:\d+:\s*/, 'TLS: $1');
}

/** Whether an error means that the command was interrupted. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof CliError && error.exitCode === exitCodes.interrupted;
}
