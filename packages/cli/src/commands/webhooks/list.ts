import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { webhook } from '../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../list.ts';

/** `runward webhooks list`. */
export function listWebhooks(webhooks: Command): void {
  addPaging(webhooks.command('list').description('List webhooks, newest first')).action(
    action(async (cli, paging: PagingOptions) => {
      const { webhooks } = await cli.connect();
      await printPages(cli.output, webhooks.list(), paging, webhook);
    }),
  );
}
