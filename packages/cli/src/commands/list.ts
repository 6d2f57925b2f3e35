import type { Total, TotalMode } from '@runward/contract';
import type { List, ListPage } from '@runward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { usage } from '../errors.ts';
import { maximumPageSize, totalModes } from '../generated/values.ts';
import { choice, wholeNumber } from '../options.ts';
import type { Layout } from '../output/cells.ts';
import { printList } from '../output/print.ts';

/** The options of every list. */
export interface PagingOptions {
  readonly all?: boolean | undefined;
  readonly limit?: number | undefined;
}

const defaultLimit = 200;

/** Adds `--all` and `--limit` to a list. */
export function addPaging(command: Command): Command {
  return command
    .option('--limit <number>', `maximum number of records (default: ${defaultLimit})`, wholeNumber(1))
    .option('--all', 'print all records, page by page');
}

/** The options of a list that may have to count very many records. */
export interface BoundedPagingOptions extends PagingOptions {
  readonly total?: TotalMode | undefined;
}

/** Adds `--all`, `--limit` and `--total` to a list. */
export function addBoundedPaging(command: Command): Command {
  const description = 'bounded: do not count all records of a very large list (default: exact)';
  return addPaging(command).addOption(choice('--total <mode>', description, totalModes));
}

/** The option of a list that can be read from a replica. */
export interface StaleOptions {
  readonly maxStale?: number | undefined;
}

/** Adds `--max-stale` to a list. */
export function addMaxStale(command: Command): Command {
  const description = 'accept records as they were up to so many seconds ago, which a replica may return (at most 5)';
  return command.option('--max-stale <seconds>', description, wholeNumber(0));
}

/** The parameters of the pages to request for `--limit` and `--total`. */
export function pageQuery({ total, ...paging }: BoundedPagingOptions) {
  return { limit: pageSize(paging), total };
}

/** The size of the pages to request for `--limit`. */
export function pageSize({ limit }: PagingOptions): number {
  return Math.min(limit ?? defaultLimit, maximumPageSize);
}

/** Prints the records that `--limit` and `--all` select, converted by `shape`. If there are more, prints a message. */
export async function printPages<Page extends ListPage & Total>(
  { output, warn }: Cli,
  list: List<Page>,
  { all, limit }: PagingOptions,
  layout: Layout,
  shape: (record: Page['data'][number]) => unknown = (record) => record,
): Promise<void> {
  if (all && limit !== undefined) throw usage('Use either --all or --limit.');
  const most = all ? Infinity : (limit ?? defaultLimit);
  let total: Total = { total: 0 };
  let count = 0;
  let areMore = false;
  async function* records() {
    for await (const page of list.pages()) {
      total = page;
      for (const record of page.data) {
        areMore = count === most;
        if (areMore) return;
        count += 1;
        yield shape(record);
      }
      areMore = count === most && page.nextCursor !== null;
      if (count === most) return;
    }
  }
  await printList(output, records(), layout);
  if (areMore) warn(`${inDigits(count)} of ${totalText(total, count)}; --all prints all.`);
}

function totalText({ total, totalIsExact = true }: Total, count: number): string {
  return totalIsExact ? inDigits(total) : `more than ${inDigits(Math.max(total, count))}`;
}

function inDigits(number: number): string {
  return number.toLocaleString('en');
}
