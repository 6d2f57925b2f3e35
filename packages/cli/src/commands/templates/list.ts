import { contract } from '@runward/contract';
import { Option, type Command } from 'commander';
import type { Action } from '../../cli.ts';
import { template } from '../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../list.ts';

interface ListOptions extends PagingOptions {
  readonly status?: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED';
  readonly name?: string;
}

/** `runward templates list`. */
export function listTemplates(templates: Command, action: Action): void {
  const { status } = contract.templates.list.query.shape;
  const command = templates
    .command('list')
    .description('List templates, newest first')
    .addOption(new Option('--status <status>', 'only templates with this status').choices(status.unwrap().options))
    .option('--name <text>', 'only templates whose name contains this text, ignoring case');
  addPaging(command).action(
    action(async (cli, { status, name, ...paging }: ListOptions) => {
      const { templates } = await cli.connect();
      const filters = { ...(status !== undefined && { status }), ...(name !== undefined && { name }) };
      await printPages(cli, templates.list(filters), paging, template);
    }),
  );
}
