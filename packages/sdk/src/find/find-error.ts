import { isRunwardError } from '../errors/error-guards.ts';
import { RunwardError } from '../errors/errors.ts';

/** No record has the name that was looked up, several have it, or the text is no name. */
export class FindError extends RunwardError {
  override readonly name = 'FindError';
  /** What messages call the record, like `data source`. */
  readonly noun: string;
  /** Whether no record fits, several do, or the text cannot be read. */
  readonly reason: 'none' | 'several' | 'invalid';
  /** The problem. If several records fit, it is followed by one line for each. */
  readonly messages: readonly string[];
  /** Whether the messages name records to choose from. If not, a program can say how to list them. */
  readonly suggests: boolean;

  constructor({ noun, reason, messages, suggests }: Pick<FindError, 'noun' | 'reason' | 'messages' | 'suggests'>) {
    super(messages.join('\n'));
    this.noun = noun;
    this.reason = reason;
    this.messages = messages;
    this.suggests = suggests;
  }
}

/** Whether a name lookup failed because no record has the name, or several have it. */
export function isFindError(error: unknown): error is FindError {
  return isRunwardError(error) && error.name === 'FindError';
}
