import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { shareId } from '../../lookup/ids.ts';
import { examples } from '../../options.ts';

/** `runward templates unshare`. */
export function unshareTemplate(templates: Command, action: Action): void {
  templates
    .command('unshare')
    .argument('<share>', 'ID of the share')
    .addHelpText('after', examples('runward templates unshare SHARE'))
    .action(
      action(async (cli, id: string) => {
        const client = await cli.connect();
        await client.sharedTemplates.revoke(shareId(id));
        cli.info('Revoked the share. Templates that were imported with it stay.');
      }),
    );
}
