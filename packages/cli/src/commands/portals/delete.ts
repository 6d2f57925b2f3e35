import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { findPortal } from '../../lookup/portal.ts';

/** `runward portals delete`. */
export function deletePortal(portals: Command, action: Action): void {
  portals
    .command('delete')
    .argument('<portal>', 'ID or slug')
    .action(
      action(async (cli, idOrSlug: string) => {
        const client = await cli.connect();
        const { id, name } = await findPortal(client, idOrSlug);
        await client.portals.remove(id);
        cli.info(`Deleted the portal "${name}".`);
      }),
    );
}
