import type { Command } from 'commander';
import type { Cli } from './cli.ts';

/** The option of every command that deletes. */
export interface DeletionOptions {
  readonly yes?: boolean;
}

/** Adds `--yes` to a command that deletes. */
export function addYes(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation');
}

/** Confirms a deletion: asks on a terminal, unless `--yes` is given. Prints a message if nothing will be deleted. */
export async function isConfirmed(
  { prompts, info }: Cli,
  { yes }: DeletionOptions,
  question: string,
): Promise<boolean> {
  if (yes || !prompts || (await prompts.yesNo(question, false))) return true;
  info('Nothing was deleted.');
  return false;
}
