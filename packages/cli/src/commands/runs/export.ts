import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { usage } from '../../errors.ts';
import { examples } from '../../options.ts';
import { writeDownload } from '../../output/download.ts';
import { addFilters, toQuery, type FilterOptions } from './filters.ts';

interface ExportOptions extends FilterOptions {
  readonly outputFile?: string;
}

/** `runward runs export`: the CSV export of the server. */
export function exportRuns(runs: Command, action: Action): void {
  addFilters(runs.command('export').description('Export all runs that match as CSV, newest first'))
    .option('--output-file <file>', 'write the CSV to this file instead of stdout')
    .addHelpText(
      'after',
      examples(
        'runward runs export --status OVERDUE > overdue.csv',
        'runward runs export --template Onboarding --output-file runs.csv',
      ),
    )
    .action(
      action(async (cli, { outputFile, ...filters }: ExportOptions) => {
        const { chosen, format, fields } = cli.output;
        if (chosen && format !== 'csv')
          throw usage('export prints CSV; for other formats use: runward runs list --all');
        if (fields) throw usage('export prints all columns; for some of them use: runward runs list --all --fields');
        const client = await cli.connect();
        const query = await toQuery(client, filters);
        await writeDownload(cli, await client.runs.exportCsv(query), outputFile);
      }),
    );
}
