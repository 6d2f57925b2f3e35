import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { dataSource } from '../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../list.ts';

/** `runward data list`. */
export function listDataSources(data: Command, action: Action): void {
  addPaging(data.command('list')).action(
    action(async (cli, paging: PagingOptions) => {
      const { dataSources } = await cli.connect();
      await printPages(cli, dataSources.list(), paging, dataSource);
    }),
  );
}
