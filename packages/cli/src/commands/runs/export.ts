import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';
import { choice, examples } from '../../options.ts';
import { writeDownload } from '../../output/download.ts';
import { addFilters, toQuery, type FilterOptions } from './filters.ts';

interface ExportOptions extends FilterOptions {
  readonly format?: 'csv' | 'pdf';
  readonly outputFile?: string;
}

/** `runward runs export`: all matching runs as CSV, or one run as CSV or PDF. */
export function exportRuns(runs: Command, action: Action): void {
  addFilters(runs.command('export'))
    .argument('[run]', `${runArgument}; default: all runs that match`)
    .addOption(choice('--format <format>', 'csv (default), or pdf for one run', ['csv', 'pdf']))
    .option('--output-file <file>', 'write to this file instead of stdout')
    .addHelpText(
      'after',
      examples(
        'runward runs export --status OVERDUE > overdue.csv',
        'runward runs export --template Onboarding --output-file runs.csv',
        'runward runs export RUN --format pdf --output-file report.pdf',
      ),
    )
    .action(
      action(async (cli, run: string | undefined, { outputFile, format: kind = 'csv', ...filters }: ExportOptions) => {
        const { chosen, format, fields } = cli.output;
        const isFiltered = Object.keys(filters).length > 0;
        if (run !== undefined && isFiltered) throw usage('Filters select several runs; omit them to export one run.');
        if (run === undefined && kind === 'pdf')
          throw usage('A PDF is of one run: runward runs export RUN --format pdf.');
        if (chosen && format !== 'csv')
          throw usage('export prints CSV; for other formats use: runward runs list --all');
        if (fields) throw usage('export prints all columns; for some of them use: runward runs list --all --fields');
        if (run !== undefined) {
          const client = await cli.connect();
          const id = await findRunId(client, run);
          const one = kind === 'pdf' ? client.runs.exportRunPdf(id) : client.runs.exportRunCsv(id);
          return writeDownload(cli, await one, outputFile);
        }
        const client = await cli.connect();
        const query = await toQuery(client, filters);
        await writeDownload(cli, await client.runs.exportCsv(query), outputFile);
      }),
    );
}
