import { runSorts, type RunSort } from '@runward/contract';
import { Option, type Command } from 'commander';
import type { Action } from '../../cli.ts';
import { examples } from '../../options.ts';
import { runLine } from '../../output/layouts.ts';
import { addPaging, pageSize, printPages, type PagingOptions } from '../list.ts';
import { addFilters, toQuery, type FilterOptions } from './filters.ts';

/** `runward runs list`. */
export function listRuns(runs: Command, action: Action): void {
  const command = addFilters(runs.command('list').description('List runs, newest first'))
    .addOption(new Option('--sort <property>', 'sort by this property; - in front: descending').choices(runSorts))
    .addHelpText(
      'after',
      examples(
        'runward runs list --status OVERDUE',
        'runward runs list --template Onboarding --all -o csv > runs.csv',
        'runward runs list --view "Late onboardings" --sort scheduledDateLocal',
        "runward runs list --stalled-for-days 7 -o jsonl | jq -r '.id'",
      ),
    );
  addPaging(command).action(
    action(async (cli, { limit, all, sort, ...filters }: FilterOptions & PagingOptions & { sort?: RunSort }) => {
      const client = await cli.connect();
      const paging = { ...(all && { all }), ...(limit !== undefined && { limit }) };
      const query = { ...(await toQuery(client, filters)), limit: pageSize(paging), ...(sort && { sort }) };
      await printPages(cli, client.runs.list(query), paging, runLine);
    }),
  );
}
