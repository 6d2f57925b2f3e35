import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { view } from '../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../list.ts';

/** `runward views list`. */
export function listViews(views: Command, action: Action): void {
  addPaging(views.command('list')).action(
    action(async (cli, paging: PagingOptions) => {
      const { savedViews } = await cli.connect();
      await printPages(cli, savedViews.list(), paging, view);
    }),
  );
}
