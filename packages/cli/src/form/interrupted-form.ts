import type { Client } from '@runward/sdk';
import type { Cli } from '../cli.ts';
import { failure, messageOf } from '../errors.ts';
import { visibleFields } from './form-field.ts';
import type { Form } from './load-form.ts';
import { submitAnswers, type Answers } from './submit-form.ts';

/**
 * Saves the values that were entered before an interruption, so that the next walk through the form starts with them, and prints what was saved. Files are
 * not uploaded: that can take long, and they are still on this machine.
 *
 * @throws CliError if the values could not be saved
 */
export async function saveInterrupted(
  cli: Cli,
  client: Client,
  form: Form,
  { values, files }: Answers,
  goOn: string,
): Promise<void> {
  const visible = new Set(visibleFields(form).map(({ id }) => id));
  const entered = new Map([...values].filter(([id]) => visible.has(id)));
  const saved = await submitAnswers(cli, client, form, { values: entered, files: new Map() }).catch(
    (error: unknown) => {
      throw failure(`What was entered could not be saved: ${messageOf(error)}`);
    },
  );
  const labelsOf = (has: (id: string) => boolean) =>
    visibleFields(saved).flatMap(({ id, label }) => (has(id) ? [`"${label}"`] : []));
  const filled = labelsOf((id) => (saved.values.get(id) ?? null) !== null);
  const missing = labelsOf((id) => files.has(id));
  cli.info(
    filled.length > 0
      ? `The form has values for ${filled.join(', ')}; they are saved. To go on: ${goOn}`
      : 'Nothing was entered, so nothing was saved.',
  );
  if (missing.length > 0) cli.info(`Not uploaded, so name the files again: ${missing.join(', ')}.`);
}
