import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/**
 * Adds `runward completion <shell>`, which prints a completion script, and the hidden `runward complete`, which such
 * a script asks. The only file that knows the library behind it.
 */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' });
}
