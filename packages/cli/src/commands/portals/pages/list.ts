import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../../action.ts';
import { pageLine } from '../../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../../list.ts';

/** `runward portals pages list`. */
export function listPages(pages: Command, action: Action): void {
  addPaging(pages.command('list').argument('<portal>', 'ID or slug')).action(
    action(async (cli, idOrSlug: string, paging: PagingOptions) => {
      const client = await cli.connect();
      const { id } = await find(client, 'portal', idOrSlug);
      await printPages(cli, client.portals.pages.list(id), paging, pageLine);
    }),
  );
}
