import type { List, ListPage } from '@runward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { usage } from '../errors.ts';
import { maximumPageSize } from '../generated/values.ts';
import { wholeNumber } from '../options.ts';
import type { Layout } from '../output/cells.ts';
import { printList } from '../output/print.ts';

/** The options of every list. */
export interface PagingOptions {
  readonly all?: boolean;
  readonly limit?: number;
}

const defaultLimit = 200;

/** Adds `--all` and `--limit` to a list. */
export function addPaging(command: Command): Command {
  return command
    .option('--limit <number>', `maximum number of records (default: ${defaultLimit})`, wholeNumber(1))
    .option('--all', 'print all records, page by page');
}

/** The size of the pages to request for `--limit`. */
export function pageSize({ limit }: PagingOptions): number {
  return Math.min(limit ?? defaultLimit, maximumPageSize);
}

/** Prints the records that `--limit` and `--all` select, converted by `shape`. If there are more, prints a message. */
export async function printPages<Page extends ListPage & { readonly total: number }>(
  { output, warn }: Cli,
  list: List<Page>,
  { all, limit }: PagingOptions,
  layout: Layout,
  shape: (record: Page['data'][number]) => unknown = (record) => record,
): Promise<void> {
  if (all && limit !== undefined) throw usage('Use either --all or --limit.');
  const most = all ? Infinity : (limit ?? defaultLimit);
  let total = 0;
  let count = 0;
  async function* records() {
    for await (const page of list.pages()) {
      ({ total } = page);
      for (const record of page.data) {
        if (count === most) return;
        count += 1;
        yield shape(record);
      }
      if (count === most) return;
    }
  }
  await printList(output, records(), layout);
  if (count < total && count === most) warn(`${count} of ${total}; --all prints all.`);
}
