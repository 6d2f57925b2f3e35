import type { Command } from 'commander';
import type { Action } from '../action.ts';
import { bashScript } from '../completion/bash-script.ts';
import { fishScript } from '../completion/fish-script.ts';
import { powershellScript } from '../completion/powershell-script.ts';
import { zshScript } from '../completion/zsh-script.ts';
import { examples } from '../options.ts';

/** The scripts by the shell that they are for. */
const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };

/** `runward completion`: prints a script with which a shell gets its suggestions from `runward complete`. */
export function completion(program: Command, action: Action): void {
  program
    .command('completion')
    .addArgument(program.createArgument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `\nNames of runs, templates, webhooks and profiles are completed, too.\n${examples(
        'source <(runward completion bash)                           # in ~/.bashrc',
        'source <(runward completion zsh)                            # in ~/.zshrc',
        'runward completion fish > ~/.config/fish/completions/runward.fish',
        'runward completion powershell >> $PROFILE',
      )}`,
    )
    .action(action(async ({ output }, shell: keyof typeof scripts) => output.write(scripts[shell])));
}
