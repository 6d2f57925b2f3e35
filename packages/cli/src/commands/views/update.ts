import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { examples } from '../../options.ts';
import { view } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { addFilterSet, toFilterSet, type FilterSetOptions } from '../runs/filters.ts';
import { visibilityOption, type Visibility } from './visibility.ts';

interface UpdateOptions extends FilterSetOptions {
  readonly name?: string;
  readonly visibility?: Visibility;
}

/** `runward views update`. */
export function updateView(views: Command, action: Action): void {
  addFilterSet(views.command('update').argument('<view>', 'ID or name of a view').option('--name <name>', 'new name'))
    .addOption(visibilityOption('who sees the view'))
    .addHelpText('after', examples('runward views update "Late onboardings" --visibility ORGANIZATION'))
    .action(
      action(async (cli, idOrName: string, { name, visibility, ...options }: UpdateOptions) => {
        const hasFilters = Object.keys(options).length > 0;
        if (name === undefined && visibility === undefined && !hasFilters) {
          throw usage('Nothing to change; use --name, --visibility or filters.');
        }
        const client = await cli.connectToChange(view);
        const { id } = await find(client, 'view', idOrName);
        const changed = await client.savedViews.update(id, {
          name,
          visibility,
          filters: hasFilters ? await toFilterSet(client, options) : undefined,
        });
        await printRecord(cli.output, changed, view);
      }),
    );
}
