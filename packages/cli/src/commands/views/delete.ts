import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { addYes, isConfirmed, type DeletionOptions } from '../../deletion.ts';

/** `runward views delete`. */
export function deleteView(views: Command, action: Action): void {
  addYes(views.command('delete'))
    .argument('<view>', 'ID or name of a view')
    .action(
      action(async (cli, idOrName: string, options: DeletionOptions) => {
        const client = await cli.connect();
        const { id, name } = await find(client, 'view', idOrName);
        if (!(await isConfirmed(cli, options, `Delete the view "${name}"?`))) return;
        await client.savedViews.remove(id);
        cli.info(`Deleted the view "${name}".`);
      }),
    );
}
