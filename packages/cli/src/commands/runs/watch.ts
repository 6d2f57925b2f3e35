import type { Activity, Client } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { exitCodes, usage, type ExitCode } from '../../errors.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';
import { examples, seconds } from '../../options.ts';
import { activity as layout } from '../../output/layouts.ts';
import { printList } from '../../output/print.ts';
import { pollIntervalMs } from '../../time.ts';
import { activityPrinter } from './activity-line.ts';
import { retries } from './poll-run.ts';

/** `runward runs watch`: ends when the run ends, and fails if the run was cancelled. */
export function watchRun(runs: Command, action: Action): void {
  runs
    .command('watch')
    .argument('<run>', runArgument)
    .option('--interval <seconds>', 'how often to poll the server', seconds, 2)
    .addHelpText(
      'after',
      `\nIf stdout is not a terminal, it prints the activity log as JSONL. The exit code is 1 if the run is cancelled.\n${examples(
        'runward runs watch RUN && echo completed',
        'runward runs watch RUN | jq -r \'select(.type == "task.completed") | .runTaskId\'',
      )}`,
    )
    .action(
      action(async (cli, run: string, { interval }: { interval: number }) => {
        if (cli.output.format === 'csv') throw usage('watch cannot print CSV; use -o jsonl.');
        const client = await cli.connect();
        return watch(cli, client, await findRunId(client, run), interval);
      }),
    );
}

async function watch(cli: Cli, client: Client, id: string, interval: number): Promise<ExitCode> {
  const { output, info, pause } = cli;
  const { runs } = client;
  const printLine = activityPrinter(output, client);
  let seen = 0;
  for (;;) {
    // Reads the run before its log, so that the log of an ended run is complete.
    const run = await runs.get(id, {}, retries);
    if (seen === 0) info(`${run.publicId} "${run.title}" is ${run.status}.`);
    for (const activity of await activityAfter(runs, id, seen)) {
      seen = activity.sequence;
      if (output.format === 'table') await printLine(activity, run);
      else await printList({ ...output, format: 'jsonl' }, [activity], layout);
    }
    if (run.status === 'COMPLETED') return exitCodes.ok;
    if (run.status === 'CANCELLED') return exitCodes.failure;
    await pause(pollIntervalMs(interval));
  }
}

/** The items of the activity log after a sequence number, oldest first. */
async function activityAfter(runs: Client['runs'], id: string, sequence: number): Promise<Activity[]> {
  const items: Activity[] = [];
  for await (const page of runs.activity(id, { limit: 50 }, retries).pages()) {
    const newer = page.data.filter((item) => item.sequence > sequence);
    items.unshift(...newer.reverse());
    if (newer.length < page.data.length) break;
  }
  return items;
}
