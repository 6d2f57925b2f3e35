import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { portal } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** `runward portals publish`. */
export function publishPortal(portals: Command, action: Action): void {
  portals
    .command('publish')
    .argument('<portal>', 'ID or slug')
    .action(
      action(async (cli, idOrSlug: string) => {
        const client = await cli.connect();
        const { id } = await find(client, 'portal', idOrSlug);
        await printRecord(cli.output, await client.portals.publish(id), portal);
      }),
    );
}
