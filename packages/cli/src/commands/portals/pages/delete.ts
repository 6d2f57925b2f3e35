import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../../action.ts';
import { addYes, isConfirmed, type DeletionOptions } from '../../../deletion.ts';

/** `runward portals pages delete`. */
export function deletePage(pages: Command, action: Action): void {
  addYes(pages.command('delete'))
    .argument('<portal>', 'ID or slug')
    .argument('<page>', 'ID or slug')
    .action(
      action(async (cli, ofPortal: string, ofPage: string, options: DeletionOptions) => {
        const client = await cli.connect();
        const portal = await find(client, 'portal', ofPortal);
        const { id, title } = await find(client, 'page', ofPage, portal.id);
        if (!(await isConfirmed(cli, options, `Delete the page "${title}"?`))) return;
        await client.portals.pages.remove(portal.id, id);
        cli.info(`Deleted the page "${title}".`);
      }),
    );
}
