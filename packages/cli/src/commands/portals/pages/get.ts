import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../../action.ts';
import { examples } from '../../../options.ts';
import { portalPage } from '../../../output/layouts.ts';
import { printRecord } from '../../../output/print.ts';

/** `runward portals pages get`. */
export function getPage(pages: Command, action: Action): void {
  pages
    .command('get')
    .argument('<portal>', 'ID or slug')
    .argument('<page>', 'ID or slug')
    .addHelpText('after', examples('runward portals pages get suppliers overview -o json > overview.json'))
    .action(
      action(async (cli, ofPortal: string, ofPage: string) => {
        const client = await cli.connect();
        const portal = await find(client, 'portal', ofPortal);
        const { id } = await find(client, 'page', ofPage, portal.id);
        await printRecord(cli.output, await client.portals.pages.get(portal.id, id), portalPage);
      }),
    );
}
