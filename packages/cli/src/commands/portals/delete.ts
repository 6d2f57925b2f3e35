import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { addYes, isConfirmed, type DeletionOptions } from '../../deletion.ts';

/** `runward portals delete`. */
export function deletePortal(portals: Command, action: Action): void {
  addYes(portals.command('delete'))
    .argument('<portal>', 'ID or slug')
    .action(
      action(async (cli, idOrSlug: string, options: DeletionOptions) => {
        const client = await cli.connect();
        const { id, name } = await find(client, 'portal', idOrSlug);
        if (!(await isConfirmed(cli, options, `Delete the portal "${name}" with its pages?`))) return;
        await client.portals.remove(id);
        cli.info(`Deleted the portal "${name}".`);
      }),
    );
}
