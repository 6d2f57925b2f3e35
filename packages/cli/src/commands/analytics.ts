import { find, findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../action.ts';
import type { Cli } from '../cli.ts';
import { usage } from '../errors.ts';
import { choice, examples } from '../options.ts';
import { printLists, printSummary } from '../output/analytics-report.ts';
import { writeDownload } from '../output/download.ts';
import { layout } from '../output/layouts.ts';
import { printRecord } from '../output/print.ts';

interface AnalyticsOptions {
  readonly from?: string;
  readonly to?: string;
  readonly template?: string;
  readonly view?: string;
  readonly advanced?: boolean;
  readonly format?: 'csv' | 'pdf';
  readonly outputFile?: string;
}

const figures = ['total', 'completionRate', 'onTimeRate', 'overdueTasks'];
const summaryLayout = layout('AnalyticsSummary', figures);
const advancedLayout = layout('AdvancedAnalytics', figures);

/** `runward analytics`: figures for the runs of a period. The server makes the CSV and PDF exports. */
export function analytics(program: Command, action: Action): void {
  program
    .command('analytics')
    .option('--from <date>', 'the first day, like 2026-03-01')
    .option('--to <date>', 'the last day; it is included')
    .option('--template <id|name>', 'only runs of this template')
    .option('--view <id|name>', 'only runs that match the filters of this saved view')
    .option('--advanced', 'also by template, owner and assignee, and the slowest tasks and stalled runs')
    .addOption(choice('--format <format>', 'export all figures as csv or pdf', ['csv', 'pdf']))
    .option('--output-file <file>', 'write the export to this file instead of stdout')
    .addHelpText(
      'after',
      examples(
        'runward analytics --from 2026-01-01 --to 2026-03-31',
        'runward analytics --template Onboarding --advanced',
        'runward analytics --view "Late onboardings" -o json | jq .onTimeRate',
        'runward analytics -o csv > analytics.csv',
        'runward analytics --format pdf --output-file analytics.pdf',
      ),
    )
    .action(
      action(async (cli, options: AnalyticsOptions) => {
        const { template, view, advanced = false, format: _, outputFile, ...period } = options;
        const { format, fields } = cli.output;
        const exported = exportedAs(cli, options);
        const client = await cli.connect();
        const templateId = template === undefined ? undefined : await findId(client, 'template', template);
        const ofTemplate = { ...period, ...(templateId !== undefined && { templateId }) };
        if (exported) {
          const { exportCsv, exportPdf } = client.analytics;
          return writeDownload(cli, await (exported === 'pdf' ? exportPdf : exportCsv)(ofTemplate), outputFile);
        }

        const filters = view === undefined ? undefined : (await find(client, 'view', view)).filters;
        const body = {
          ...period,
          ...(filters && { filters: { ...filters, ...(templateId !== undefined && { templateIds: [templateId] }) } }),
        };
        if (advanced) {
          const result = await (filters
            ? client.analytics.advancedFiltered(body)
            : client.analytics.advanced(ofTemplate));
          if (format !== 'table' || fields) return printRecord(cli.output, result, advancedLayout);
          printSummary(cli.output, result);
          return printLists(cli.output, result);
        }
        const result = await (filters ? client.analytics.filtered(body) : client.analytics.summary(ofTemplate));
        if (format !== 'table' || fields) return printRecord(cli.output, result, summaryLayout);
        printSummary(cli.output, result);
      }),
    );
}

/** The requested export format. Null: print figures instead. */
function exportedAs({ output }: Cli, { view, format, outputFile }: AnalyticsOptions): 'csv' | 'pdf' | null {
  const { chosen, format: printed, fields } = output;
  if (format !== undefined && chosen && printed !== format) throw usage('Use either --format or -o.');
  const exported = format ?? (printed === 'csv' ? 'csv' : null);
  if (exported === null && outputFile !== undefined)
    throw usage('--output-file is for exports: use --format csv or pdf.');
  if (exported === null) return null;
  const name = exported.toUpperCase();
  if (view !== undefined) throw usage(`A ${name} cannot be of a view; use -o json`);
  if (fields) throw usage(`A ${name} has all figures; for some of them use -o json --fields`);
  return exported;
}
