import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { share } from '../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../list.ts';

/** `runward templates shares`. */
export function listShares(templates: Command, action: Action): void {
  const command = templates.command('shares').argument('<template>', 'ID or name');
  addPaging(command).action(
    action(async (cli, idOrName: string, paging: PagingOptions) => {
      const client = await cli.connect();
      const { id } = await find(client, 'template', idOrName);
      await printPages(cli, client.templates.shares.list(id), paging, share);
    }),
  );
}
