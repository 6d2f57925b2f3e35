import { contract } from '@runward/contract';
import type { Command } from 'commander';
import type { Action } from '../cli.ts';
import { usage } from '../errors.ts';
import { findTemplate } from '../lookup/template.ts';
import { findView } from '../lookup/view.ts';
import { examples } from '../options.ts';
import { printLists, printSummary } from '../output/analytics-report.ts';
import { layout } from '../output/cells.ts';
import { writeDownload } from '../output/download.ts';
import { printRecord } from '../output/print.ts';

interface AnalyticsOptions {
  readonly from?: string;
  readonly to?: string;
  readonly template?: string;
  readonly view?: string;
  readonly advanced?: boolean;
}

const figures = ['total', 'completionRate', 'onTimeRate', 'overdueTasks'];
const summaryLayout = layout(contract.analytics.summary.response, figures);
const advancedLayout = layout(contract.analytics.advanced.response, figures);

/** `runward analytics`: figures of the runs of a period. CSV is the export of the server. */
export function analytics(program: Command, action: Action): void {
  program
    .command('analytics')
    .description('Print figures of the runs launched in a period, by default the last 30 days')
    .option('--from <date>', 'the first day, like 2026-03-01')
    .option('--to <date>', 'the last day; it is included')
    .option('--template <id|name>', 'only runs of this template')
    .option('--view <id|name>', 'only runs that match the filters of this saved view')
    .option('--advanced', 'also by template, owner and assignee, and the slowest tasks and stalled runs')
    .addHelpText(
      'after',
      examples(
        'runward analytics --from 2026-01-01 --to 2026-03-31',
        'runward analytics --template Onboarding --advanced',
        'runward analytics --view "Late onboardings" -o json | jq .onTimeRate',
        'runward analytics -o csv > analytics.csv',
      ),
    )
    .action(
      action(async (cli, { template, view, advanced = false, ...period }: AnalyticsOptions) => {
        const { format, fields } = cli.output;
        if (format === 'csv' && view !== undefined) throw usage('-o csv cannot be used with --view; use -o json');
        if (format === 'csv' && fields) throw usage('-o csv prints all figures; for some of them use -o json --fields');
        const client = await cli.connect();
        const templateId = template === undefined ? undefined : (await findTemplate(client, template)).id;
        const ofTemplate = { ...period, ...(templateId !== undefined && { templateId }) };
        if (format === 'csv') return writeDownload(cli, await client.analytics.exportCsv(ofTemplate), undefined);

        const filters = view === undefined ? undefined : (await findView(client, view)).filters;
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
