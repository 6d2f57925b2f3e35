import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { view } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** `runward views get`. */
export function getView(views: Command, action: Action): void {
  views
    .command('get')
    .argument('<view>', 'ID or name of a view')
    .action(
      action(async (cli, idOrName: string) => {
        await printRecord(cli.output, await find(await cli.connect(), 'view', idOrName), view);
      }),
    );
}
