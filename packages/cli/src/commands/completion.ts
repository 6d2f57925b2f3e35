import { script } from '@bomb.sh/tab';
import type { Command } from 'commander';
import type { Action } from '../action.ts';
import { bashScript } from '../completion/bash-script.ts';
import { examples } from '../options.ts';

/** The shells that completion works in. */
const shells = ['bash', 'zsh', 'fish', 'powershell'];

/** `runward completion`: prints the script that makes a shell ask `runward complete`. */
export function completion(program: Command, action: Action): void {
  program
    .command('completion')
    .addArgument(program.createArgument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `\nNames of runs, templates, webhooks and profiles are completed, too.\n${examples(
        'source <(runward completion bash)                           # in ~/.bashrc',
        'source <(runward completion zsh)                            # in ~/.zshrc',
        'runward completion fish > ~/.config/fish/completions/runward.fish',
        'runward completion powershell >> $PROFILE',
      )}`,
    )
    .action(
      action(async ({ output }, shell: string) => {
        if (shell === 'bash') return output.write(bashScript);
        // The library prints to the stdout of the process.
        script(shell, 'runward', 'runward');
      }),
    );
}
