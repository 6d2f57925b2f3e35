import type { Command } from 'commander';
import { suggest } from '../completion/suggest.ts';
import type { Io } from '../io.ts';
import { printable } from '../output/printable.ts';

/** Directives for the completion scripts: suggestions only, or also files. */
const directives = { suggestions: ':4', files: ':0' } as const;

/**
 * The hidden `runward complete -- WORDS`. Completion scripts call it with the words of the line up to the cursor. It
 * prints one line per suggestion (the word and its description), then the directive.
 */
export function addComplete(program: Command, io: Io): void {
  program
    .command('complete', { hidden: true })
    .description('Print what can complete a command line')
    .argument('[words...]', 'words of the command line after runward')
    .action(async (words: readonly string[]) => {
      const suggestions = await suggest(program, words, io);
      const lines = (suggestions ?? []).map(({ value, description }) => `${value}\t${printable(description)}`);
      io.stdout.write(`${[...lines, suggestions ? directives.suggestions : directives.files].join('\n')}\n`);
    });
}
