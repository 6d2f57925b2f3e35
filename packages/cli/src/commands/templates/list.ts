import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { templateStatuses } from '../../generated/values.ts';
import { template } from '../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../list.ts';
import { choice } from '../../options.ts';

interface ListOptions extends PagingOptions {
  readonly status?: (typeof templateStatuses)[number];
  readonly name?: string;
}

/** `runward templates list`. */
export function listTemplates(templates: Command, action: Action): void {
  const command = templates
    .command('list')
    .addOption(choice('--status <status>', 'only templates with this status', templateStatuses))
    .option('--name <text>', 'only templates whose name contains this text, ignoring case');
  addPaging(command).action(
    action(async (cli, { status, name, ...paging }: ListOptions) => {
      const { templates } = await cli.connect();
      const filters = { ...(status !== undefined && { status }), ...(name !== undefined && { name }) };
      await printPages(cli, templates.list(filters), paging, template);
    }),
  );
}
