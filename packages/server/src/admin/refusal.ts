/** Why a command was not carried out; nothing was changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
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
export function refused(...messages: string[]): Refusal {
  return new Refusal(1, messages);
}

/** The command line is wrong. */
export function usage(...messages: string[]): Refusal {
  return new Refusal(2, messages);
}
