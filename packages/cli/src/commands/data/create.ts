import type { ColumnType } from '@runward/contract';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { columnTypes } from '../../generated/values.ts';
import { collect, examples } from '../../options.ts';
import { dataSource } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

interface CreateOptions {
  readonly column: readonly string[];
  readonly description?: string;
}

/** `runward data create`. */
export function createDataSource(data: Command, action: Action): void {
  data
    .command('create')
    .argument('<name>', 'display name')
    .requiredOption('--column <name[:type]>', 'a column, in order; TEXT without a type; can be repeated', collect)
    .option('--description <text>', 'what the data source holds')
    .addHelpText(
      'after',
      `\nTypes: TEXT, DATE, DATETIME, NUMBER, BOOLEAN. For STATUS and RELATION columns: runward data columns create.\n${examples(
        'runward data create Suppliers --column Name --column Revenue:NUMBER --column Since:DATE',
      )}`,
    )
    .action(
      action(async (cli, name: string, { column, description }: CreateOptions) => {
        const columns = column.map(toColumn);
        const client = await cli.connectToChange(dataSource);
        await printRecord(cli.output, await client.dataSources.create({ name, columns, description }), dataSource);
      }),
    );
}

const withoutConfig = columnTypes.filter((type) => type !== 'STATUS' && type !== 'RELATION');

function toColumn(text: string): { name: string; type: ColumnType } {
  const [, name = text, given = 'TEXT'] = /^(.*):([A-Za-z]+)$/.exec(text) ?? [];
  const type = withoutConfig.find((each) => each === given.toUpperCase());
  if (!type) throw usage(`--column ${text}: unknown type "${given}"; use ${withoutConfig.join(', ')}.`);
  return { name, type };
}
