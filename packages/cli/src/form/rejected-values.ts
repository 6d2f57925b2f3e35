import type { Field } from '@runward/contract';
import { isValidationError } from '@runward/sdk';
import { CliError, exitCodes } from '../errors.ts';

/** A value of a request. */
interface Submission {
  readonly runTaskFieldId: string;
}

/** The server rejected values: the problem of each, by field ID. It saved none of the request's values. */
export class RejectedValues extends CliError {
  readonly problems: ReadonlyMap<string, string>;

  constructor(problems: ReadonlyMap<string, string>, fields: readonly Field[]) {
    const keyOf = (id: string) => fields.find((field) => field.id === id)?.key ?? id;
    super(
      exitCodes.rejected,
      [...problems].map(([id, problem]) => `--value ${keyOf(id)}: ${problem}`),
    );
    this.problems = problems;
  }
}

/**
 * Waits for a request that submits form values.
 *
 * @throws RejectedValues if the values are the only problem
 */
export async function submitted<Result>(
  request: PromiseLike<Result>,
  values: readonly Submission[],
  fields: readonly Field[],
): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    const problems = isValidationError(error) ? problemsOf(error.messages, values) : null;
    throw problems ? new RejectedValues(problems, fields) : error;
  }
}

/** The problems by field ID. Null if a message is about something other than a value. */
function problemsOf(messages: readonly string[], values: readonly Submission[]): Map<string, string> | null {
  const problems = new Map<string, string>();
  for (const message of messages) {
    const [, index, problem] = /^values\[(\d+)\]\.value: (.+)$/s.exec(message) ?? [];
    const value = values[Number(index)];
    if (!value || problem === undefined) return null;
    problems.set(value.runTaskFieldId, problem);
  }
  return problems;
}
