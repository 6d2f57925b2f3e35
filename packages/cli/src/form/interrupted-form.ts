import type { Client } from '@runward/sdk';
import { visibleFields } from '@runward/sdk/form';
import type { Cli } from '../cli.ts';
import { failure, messageOf } from '../errors.ts';
import { saveAnswers, type Draft } from './save-answers.ts';

/**
 * Saves the values entered before an interruption, so that the next attempt starts with them, and prints what was
 * saved. Files are not uploaded: that can take long, and they are still on this machine.
 *
 * @throws CliError if the values could not be saved
 */
export async function saveInterrupted(cli: Cli, client: Client, draft: Draft, goOn: string): Promise<void> {
  const entered: Draft = { ...draft, files: new Map() };
  const visible = new Set(visibleFields(draft.form).map(({ id }) => id));
  const problems = await saveAnswers(cli, client, entered, visible).catch((error: unknown) => {
    throw failure(`What was entered could not be saved: ${messageOf(error)}`);
  });
  const saved = entered.form;
  const labelsOf = (has: (id: string) => boolean) =>
    visibleFields(saved).flatMap(({ id, label }) => (has(id) ? [`"${label}"`] : []));
  const filled = labelsOf((id) => (saved.values.get(id) ?? null) !== null);
  const missing = labelsOf((id) => draft.files.has(id));
  if (filled.length > 0) cli.info(`The form has values for ${filled.join(', ')}; they are saved. To go on: ${goOn}`);
  else if (problems.size === 0) cli.info('Nothing was entered, so nothing was saved.');
  for (const problem of problems.values()) cli.warn(`Not saved: ${problem}`);
  if (missing.length > 0) cli.info(`Not uploaded, so name the files again: ${missing.join(', ')}.`);
}
