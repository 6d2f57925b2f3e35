import { find } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { activeColumn } from '../../data-import/prepare-rows.ts';
import { usage } from '../../errors.ts';
import { examples } from '../../options.ts';
import { csvLine } from '../../output/csv-line.ts';

interface ExportOptions {
  readonly active?: boolean;
}

/** `runward data export`. */
export function exportDataRows(data: Command, action: Action): void {
  data
    .command('export')
    .argument('<data-source>', 'ID or name')
    .option('--active', 'only active rows')
    .addHelpText('after', examples('runward data export Suppliers > suppliers.csv'))
    .action(
      action(async (cli, idOrName: string, { active }: ExportOptions) => {
        const { chosen, format, fields } = cli.output;
        if ((chosen && format !== 'csv') || fields) {
          throw usage('export prints CSV with all columns; for others use: runward data rows --all');
        }
        const client = await cli.connect();
        const { id, columns: all } = await find(client, 'dataSource', idOrName);
        const columns = all.filter(({ type }) => type !== 'RELATION');
        const line = (cells: readonly unknown[]) => cli.output.writeBytes(Buffer.from(csvLine(cells)));
        await line([...columns.map(({ name }) => name), activeColumn.name]);
        for await (const row of client.dataSources.rows.list(id, { activeOnly: active === true })) {
          await line([...columns.map((column) => row.cells[column.id] ?? ''), row.active]);
        }
      }),
    );
}
