/** Why a command was not carried out; nothing was changed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** 1: it may not be so. 2: the command line is wrong. */
  readonly exitCode: 1 | 2;
  readonly messages: readonly string[];

  constructor(exitCode: 1 | 2, messages: readonly string[]) {
    super(messages.join('\n'));
    this.exitCode = exitCode;
    this.messages = messages;
  }
}

/** The command is understood, but cannot be carried out. */
export function refused(...messages: string[]): CommandError {
  return new CommandError(1, messages);
}

/** The command line is wrong. */
export function usage(...messages: string[]): CommandError {
  return new CommandError(2, messages);
}
