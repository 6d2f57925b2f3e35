import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { portal } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** `runward portals get`. */
export function getPortal(portals: Command, action: Action): void {
  portals
    .command('get')
    .argument('<portal>', 'ID or slug')
    .action(
      action(async (cli, idOrSlug: string) => {
        await printRecord(cli.output, await find(await cli.connect(), 'portal', idOrSlug), portal);
      }),
    );
}
