import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { findView } from '../../lookup/view.ts';

/** `runward views delete`. */
export function deleteView(views: Command, action: Action): void {
  views
    .command('delete')
    .argument('<view>', 'ID or name of a view')
    .action(
      action(async (cli, idOrName: string) => {
        const client = await cli.connect();
        const { id, name } = await findView(client, idOrName);
        await client.savedViews.remove(id);
        cli.info(`Deleted the view "${name}".`);
      }),
    );
}
