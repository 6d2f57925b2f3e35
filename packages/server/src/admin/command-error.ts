/** The reason why a command failed. Nothing was changed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** 1: the command was rejected. 2: usage error. 78: the database is of another version or program. */
  readonly exitCode: 1 | 2 | 78;
  readonly messages: readonly string[];

  constructor(exitCode: CommandError['exitCode'], messages: readonly string[]) {
    super(messages.join('\n'));
    this.exitCode = exitCode;
    this.messages = messages;
  }
}

/** The command is valid, but cannot be carried out. */
export function commandError(...messages: string[]): CommandError {
  return new CommandError(1, messages);
}

/** The command line is wrong. */
export function usageError(...messages: string[]): CommandError {
  return new CommandError(2, messages);
}
