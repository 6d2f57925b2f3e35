import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { webhook } from '../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../list.ts';

/** `runward webhooks list`. */
export function listWebhooks(webhooks: Command, action: Action): void {
  addPaging(webhooks.command('list')).action(
    action(async (cli, paging: PagingOptions) => {
      const { webhooks } = await cli.connect();
      await printPages(cli, webhooks.list(), paging, webhook);
    }),
  );
}
