import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../../action.ts';
import { examples } from '../../../options.ts';
import { portalPage } from '../../../output/layouts.ts';
import { printRecord } from '../../../output/print.ts';

/** `runward portals pages create`. */
export function createPage(pages: Command, action: Action): void {
  pages
    .command('create')
    .argument('<portal>', 'ID or slug')
    .argument('<title>', 'title of the page')
    .requiredOption('--slug <slug>', 'what its URL ends with: lower-case letters, digits and single hyphens')
    .addHelpText('after', examples('runward portals pages create suppliers Overview --slug overview'))
    .action(
      action(async (cli, ofPortal: string, title: string, { slug }: { readonly slug: string }) => {
        const client = await cli.connect();
        const { id } = await find(client, 'portal', ofPortal);
        await printRecord(cli.output, await client.portals.pages.create(id, { title, slug }), portalPage);
      }),
    );
}
