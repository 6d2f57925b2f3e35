import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/**
 * Adds `runward completion <shell>`, which prints a completion script, and the hidden `runward complete`, which the script calls.
 * The only file that uses the completion library. It prints to the stdout of the process, not to that of the Io.
 */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' });
}
