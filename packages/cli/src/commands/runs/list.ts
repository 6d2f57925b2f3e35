import { contract } from '@runward/contract';
import { Option, type Command } from 'commander';
import { action } from '../../cli.ts';
import { findTemplate } from '../../lookup/template.ts';
import { examples, wholeNumber } from '../../options.ts';
import { runLine } from '../../output/layouts.ts';
import { addPaging, printPages, type PagingOptions } from '../list.ts';

interface ListOptions extends PagingOptions {
  readonly status?: 'RUNNING' | 'OVERDUE' | 'COMPLETED' | 'CANCELLED';
  readonly template?: string;
  readonly scheduledDate?: string;
  readonly stalledForDays?: number;
  readonly archived?: boolean;
}

/** `runward runs list`. */
export function listRuns(runs: Command): void {
  const { status } = contract.runs.list.query.shape;
  const command = runs
    .command('list')
    .description('List runs, newest first')
    .addOption(new Option('--status <status>', 'only runs in this status').choices(status.unwrap().options))
    .option('--template <id|name>', 'only runs of this template')
    .option('--scheduled-date <date>', 'only runs scheduled for this day, like 2026-03-01')
    .option('--stalled-for-days <days>', 'only active runs without activity for that long', wholeNumber(0))
    .option('--archived', 'archived runs instead')
    .addHelpText(
      'after',
      examples(
        'runward runs list --status OVERDUE',
        'runward runs list --template Onboarding --all -o csv > runs.csv',
        "runward runs list --stalled-for-days 7 -o jsonl | jq -r '.id'",
      ),
    );
  addPaging(command).action(
    action(async (cli, { template, limit, all, ...filters }: ListOptions) => {
      const client = await cli.connect();
      const templateId = template === undefined ? undefined : (await findTemplate(client, template)).id;
      const page = Math.min(limit ?? 200, 200);
      const query = { ...filters, ...(templateId !== undefined && { templateId }), limit: page };
      await printPages(cli.output, client.runs.list(query), { ...(all && { all }), ...(limit && { limit }) }, runLine);
    }),
  );
}
