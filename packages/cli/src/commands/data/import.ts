import { basename } from 'node:path';
import { isApiError } from '@runward/sdk';
import { find, findColumn } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { readCsv } from '../../csv-launch/read-csv.ts';
import { importRows } from '../../data-import/import-rows.ts';
import { withoutKnown } from '../../data-import/known-rows.ts';
import { prepareImport, readColumns } from '../../data-import/prepare-rows.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { collect, examples, keyValues } from '../../options.ts';
import type { Layout } from '../../output/cells.ts';
import { printRecord } from '../../output/print.ts';
import { readText } from '../../terminal/input.ts';

interface ImportOptions {
  readonly map?: readonly string[];
  readonly key?: string;
  readonly dryRun?: boolean;
  readonly delimiter: string;
}

const fields = ['dataSourceId', 'rows', 'new', 'known', 'created'];
const layout: Layout = { columns: fields, fields };

/** `runward data import`. */
export function importDataRows(data: Command, action: Action): void {
  data
    .command('import')
    .argument('<data-source>', 'ID or name')
    .argument('<file>', 'CSV with a header; "-" for stdin')
    .option(
      '--map <column=source>',
      'fill this column from a column of the file; by default those of the same name',
      collect,
    )
    .option('--key <column>', 'skip rows whose value of this column the data source has already')
    .option('--dry-run', 'check all rows and import nothing')
    .option('--delimiter <character>', 'what separates the cells', ',')
    .addHelpText(
      'after',
      `\nAll rows are checked before the first is imported. With --key, an import can be repeated after it was interrupted.\n${examples(
        'runward data import Suppliers suppliers.csv --key "VAT number" --dry-run',
        'runward data import Suppliers erp.csv --map Name=NAME1 --map "VAT number"=STCEG --key "VAT number"',
      )}`,
    )
    .action(
      action(async (cli, idOrName: string, path: string, options: ImportOptions) => {
        const { io, info, output } = cli;
        const file = readCsv(await readText(io, path, 'the rows'), path, options.delimiter);
        const client = await cli.connectToChange(layout);
        const source = await find(client, 'dataSource', idOrName);
        const mapped = readColumns(keyValues('--map', options.map ?? []), source, file);
        const keyColumn = options.key === undefined ? null : findColumn(source, options.key);
        const rows = prepareImport(file, mapped, keyColumn);
        const fresh = await withoutKnown(client, source, rows, keyColumn);
        const counts = { rows: rows.length, new: fresh.length, known: rows.length - fresh.length };
        // Also while the result is printed: it says which rows exist.
        using _ = cli.stopGracefully(() =>
          info('Stopping after the request under way. Press Ctrl-C again to stop at once.'),
        );
        let created = 0;
        let error: unknown = null;
        if (options.dryRun) info('Dry run: nothing was imported.');
        else {
          const line = (done: number) => `Importing ${basename(path)}: ${done} of ${fresh.length}`;
          const progress = cli.progress({ line, lineIntervalMs: 10_000 });
          const onCreated = (count: number) => {
            created += count;
            progress.advance(count);
          };
          try {
            await importRows(client, source, fresh, { isKeyed: keyColumn !== null, onCreated, stop: io.signal });
          } catch (cause) {
            if (keyColumn === null && isUncertain(cause))
              info(`The rows from line ${fresh[created]?.line} on may have been imported too; look for them first.`);
            if (created === 0) throw cause;
            error = cause;
          }
          progress.end();
        }
        await printRecord(output, { dataSourceId: source.id, ...counts, created }, layout);
        if (error === null && !io.signal.aborted) return exitCodes.ok;
        const remedy =
          keyColumn === null
            ? 'Remove them from the file before you import it again.'
            : 'Run the same command again to continue.';
        const next = fresh[created];
        const until = next ? `, those before line ${next.line}` : '';
        info(`Stopped: ${created} of ${fresh.length} new rows were imported${until}. ${remedy}`);
        if (error !== null) throw error;
        return exitCodes.interrupted;
      }),
    );
}

/** Whether a request may have taken effect although it failed. */
function isUncertain(error: unknown): boolean {
  return !(error instanceof CliError) && !(isApiError(error) && error.statusCode < 500);
}
