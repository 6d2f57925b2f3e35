import type { DataSource } from '@runward/sdk';
import { find, findColumn } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { examples } from '../../options.ts';
import { addMaxStale, addPaging, pageSize, printPages, type PagingOptions, type StaleOptions } from '../list.ts';

interface RowsOptions extends PagingOptions, StaleOptions {
  readonly search?: string;
  readonly active?: boolean;
  readonly sort?: string;
}

/** `runward data rows`. */
export function listDataRows(data: Command, action: Action): void {
  const command = data
    .command('rows')
    .argument('<data-source>', 'ID or name')
    .option('--search <text>', 'only rows with a cell that contains this text')
    .option('--active', 'only active rows')
    .option('--sort <column>', 'sort by this column; with "-" in front, in descending order')
    .addHelpText('after', examples('runward data rows Suppliers --search gmbh --sort=-Revenue'));
  addMaxStale(addPaging(command)).action(
    action(async (cli, idOrName: string, { search, active, sort, ...paging }: RowsOptions) => {
      const client = await cli.connect();
      const source = await find(client, 'dataSource', idOrName);
      const query = {
        limit: pageSize(paging),
        search,
        activeOnly: active,
        sort: sort === undefined ? undefined : sortOf(source, sort),
      };
      // A name with a dot would be read as a path.
      const columns = source.columns.map(({ id, name }) => ({ id, name: name.replaceAll('.', '') }));
      const list = client.dataSources.rows.list(source.id, query, { maxStaleSeconds: paging.maxStale });
      const named = {
        async *pages() {
          for await (const page of list.pages()) {
            const data = page.data.map(({ id, active, cells }) => ({
              id,
              active,
              ...Object.fromEntries(columns.map((column) => [column.name, cells[column.id] ?? null])),
            }));
            yield Object.assign(page, { data });
          }
        },
      };
      const fields = ['id', 'active', ...columns.map(({ name }) => name)];
      await printPages(cli, named as never, paging, { columns: fields, fields, plural: 'rows' });
    }),
  );
}

function sortOf(source: DataSource, sort: string): string {
  return sort.startsWith('-') ? `-${findColumn(source, sort.slice(1)).id}` : findColumn(source, sort).id;
}
