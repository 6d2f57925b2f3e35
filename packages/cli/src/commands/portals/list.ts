import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { portal } from '../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../list.ts';

/** `runward portals list`. */
export function listPortals(portals: Command, action: Action): void {
  addPaging(portals.command('list')).action(
    action(async (cli, paging: PagingOptions) => {
      const client = await cli.connect();
      await printPages(cli, client.portals.list(), paging, portal);
    }),
  );
}
