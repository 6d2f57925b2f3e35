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

/** Whether something is to be deleted: asks on a terminal, except with `--yes`, and says if nothing was deleted. */
export async function isConfirmed(
  { prompts, info }: Cli,
  { yes }: DeletionOptions,
  question: string,
): Promise<boolean> {
  if (yes || !prompts || (await prompts.yesNo(question, false))) return true;
  info('Nothing was deleted.');
  return false;
}
