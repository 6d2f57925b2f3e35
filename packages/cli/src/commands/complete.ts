import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { printable } from '../output/printable.ts';
import { suggest } from '../completion/suggest.ts';

/** What the completion scripts understand: only the suggestions, or also files. */
const directives = { suggestions: ':4', files: ':0' } as const;

/**
 * The hidden `runward complete -- WORDS`, which completion scripts call with the words of the line up to the cursor. It prints a line for each
 * suggestion, the word and its description, and the directive.
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
