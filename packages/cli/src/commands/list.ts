import type { List, ListPage } from '@runward/sdk';
import type { Command } from 'commander';
import { wholeNumber } from '../options.ts';
import type { Layout } from '../output/cells.ts';
import { printList, type Output } from '../output/print.ts';
import { usage } from '../errors.ts';
import { tell } from '../terminal/notes.ts';

/** The options of every list. */
export interface PagingOptions {
  readonly all?: boolean;
  readonly limit?: number;
}

const usual = 200;

/** Adds `--all` and `--limit` to a list. */
export function addPaging(command: Command): Command {
  return command
    .option('--limit <number>', `print this many at most (default: ${usual})`, wholeNumber(1))
    .option('--all', 'print all, page after page');
}

/** Prints a list as far as `--limit` or `--all` say, and tells when there is more. */
export async function printPages<Page extends ListPage & { readonly total: number }>(
  output: Output,
  list: List<Page>,
  { all, limit }: PagingOptions,
  layout: Layout,
): Promise<void> {
  if (all && limit !== undefined) throw usage('Give either --all or --limit.');
  const most = all ? Infinity : (limit ?? usual);
  let total = 0;
  let count = 0;
  async function* records() {
    for await (const page of list.pages()) {
      ({ total } = page);
      for (const record of page.data) {
        if (count === most) return;
        count += 1;
        yield record;
      }
      if (count === most) return;
    }
  }
  await printList(output, records(), layout);
  if (count < total && count === most) tell(`${count} of ${total}; --all prints all.`);
}
