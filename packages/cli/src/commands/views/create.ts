import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { examples } from '../../options.ts';
import { view } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { addFilterSet, toFilterSet, type FilterSetOptions } from '../runs/filters.ts';
import { visibilityOption, type Visibility } from './visibility.ts';

/** `runward views create`. */
export function createView(views: Command, action: Action): void {
  addFilterSet(views.command('create').argument('<name>', 'name of the view'))
    .addOption(visibilityOption('who sees the view (default: PRIVATE)'))
    .addHelpText(
      'after',
      examples(
        'runward views create "Late onboardings" --template Onboarding --status OVERDUE --visibility ORGANIZATION',
        'runward runs list --view "Late onboardings"',
      ),
    )
    .action(
      action(async (cli, name: string, { visibility, ...options }: FilterSetOptions & { visibility?: Visibility }) => {
        const client = await cli.connectToChange(view);
        const filters = await toFilterSet(client, options);
        const created = await client.savedViews.create({ name, filters, visibility });
        await printRecord(cli.output, created, view);
      }),
    );
}
