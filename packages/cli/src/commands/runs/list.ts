import type { RunSort } from '@runward/contract';
import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { runSorts } from '../../generated/values.ts';
import { choice, examples } from '../../options.ts';
import { runLine } from '../../output/layouts.ts';
import {
  addBoundedPaging,
  addMaxStale,
  pageQuery,
  printPages,
  type BoundedPagingOptions,
  type StaleOptions,
} from '../list.ts';
import { addFilters, toQuery, type FilterOptions } from './filters.ts';

/** `runward runs list`. */
export function listRuns(runs: Command, action: Action): void {
  const command = addFilters(runs.command('list'))
    .addOption(choice('--sort <property>', 'sort by this property; - in front: descending', runSorts))
    .addHelpText(
      'after',
      examples(
        'runward runs list --status OVERDUE',
        'runward runs list --template Onboarding --all -o csv > runs.csv',
        'runward runs list --view "Late onboardings" --sort scheduledDateLocal',
        "runward runs list --stalled-for-days 7 -o jsonl | jq -r '.id'",
      ),
    );
  addMaxStale(addBoundedPaging(command)).action(
    action(
      async (
        cli,
        {
          limit,
          all,
          total,
          sort,
          maxStale,
          ...filters
        }: FilterOptions & BoundedPagingOptions & StaleOptions & { sort?: RunSort },
      ) => {
        const client = await cli.connect();
        const paging = { all, limit, total };
        const page = { ...pageQuery(paging), sort };
        const { view, ...others } = filters;
        // A view works even if something that it names was deleted. The same names as query filters would be an error.
        const runs =
          view !== undefined && Object.keys(others).length === 0
            ? client.savedViews.runs(await findId(client, 'view', view), page, { maxStaleSeconds: maxStale })
            : client.runs.list({ ...(await toQuery(client, filters)), ...page }, { maxStaleSeconds: maxStale });
        await printPages(cli, runs, paging, runLine);
      },
    ),
  );
}
