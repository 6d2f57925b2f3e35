import type { FieldValue } from '@runward/contract';
import { isApiError, type Client } from '@runward/sdk';
import type { Form } from '@runward/sdk/form';
import type { Cli } from '../cli.ts';
import { CliError, isInterrupted } from '../errors.ts';
import { RejectedValues } from './rejected-values.ts';
import { submitAnswers } from './submit-form.ts';

/** A form being filled in: its last saved state, and the entered values and file paths by field ID. */
export interface Draft {
  form: Form;
  readonly values: Map<string, FieldValue>;
  readonly files: Map<string, readonly string[]>;
}

/**
 * Saves the values of some fields as far as the server accepts them, and removes those from the draft. Rejected values
 * stay in the draft, to be corrected. Returns their problems by field ID.
 */
export async function saveAnswers(
  cli: Cli,
  client: Client,
  draft: Draft,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  await saveValues();
  for (const [id, paths] of draft.files) if (ids.has(id)) await saveFiles(id, paths);
  return problems;

  // The server accepts all values of a request or none, so the request is repeated without the rejected ones.
  async function saveValues(): Promise<void> {
    const values = new Map([...draft.values].filter(([id]) => ids.has(id) && !problems.has(id)));
    try {
      draft.form = await submitAnswers(cli, client, draft.form, { values, files: new Map() });
      for (const id of values.keys()) draft.values.delete(id);
    } catch (error) {
      if (!(error instanceof RejectedValues)) throw error;
      for (const [id, problem] of error.problems) problems.set(id, problem);
      await saveValues();
    }
  }

  async function saveFiles(id: string, paths: readonly string[]): Promise<void> {
    for (const [index, path] of paths.entries()) {
      try {
        const one = new Map([[id, [path]]]);
        draft.form = await submitAnswers(cli, client, draft.form, { values: new Map(), files: one });
      } catch (error) {
        const problem = problemOfFile(error);
        if (problem === null) throw error;
        problems.set(id, `${path}: ${problem}`);
        break;
      }
      draft.files.set(id, paths.slice(index + 1));
    }
    draft.files.delete(id);
  }
}

/** The reason why a file cannot be attached to a field. Null if the error is not about the file. */
function problemOfFile(error: unknown): string | null {
  if (error instanceof CliError && !isInterrupted(error)) return error.messages.join(' ');
  return isApiError(error) && [400, 413].includes(error.statusCode) ? error.messages.join(' ') : null;
}
