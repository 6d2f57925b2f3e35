import { setTimeout as pause } from 'node:timers/promises';
import type { Contract, Response } from '@runward/contract';
import type { Client } from '@runward/sdk';
import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { exitCodes, usage } from '../../errors.ts';
import { runId } from '../../lookup/ids.ts';
import type { Run } from '../../lookup/run-task.ts';
import { examples, seconds } from '../../options.ts';
import { activity as layout } from '../../output/layouts.ts';
import { printList, write, type Output } from '../../output/print.ts';
import { printable } from '../../output/printable.ts';
import { note } from '../../terminal/notes.ts';

type Activity = Response<Contract['runs']['activity']>['data'][number];

// A watch lasts for hours; a server that restarts meanwhile must not end it.
const patient = { maxRetries: 8 };

/** `runward runs watch`: ends with the run, and fails when the run was cancelled. */
export function watchRun(runs: Command): void {
  runs
    .command('watch')
    .description('Print what happens in a run until it ends')
    .argument('<run>', 'id of the run')
    .option('--interval <seconds>', 'ask the server this often', seconds, 2)
    .addHelpText(
      'after',
      `\nPiped, it prints the lines of the activity log as JSONL. The exit code is 1 when the run is cancelled.\n${examples(
        'runward runs watch RUN && echo completed',
        'runward runs watch RUN | jq -r \'select(.type == "task.completed") | .runTaskId\'',
      )}`,
    )
    .action(
      action(async (cli, run: string, { interval }: { interval: number }) => {
        if (cli.output.format === 'csv') throw usage('watch prints lines as they happen; use -o jsonl.');
        return watch(await cli.connect(), runId(run), interval, cli.output);
      }),
    );
}

async function watch({ runs }: Client, id: string, interval: number, output: Output): Promise<number> {
  let seen = 0;
  for (;;) {
    // The run first: when it is over, the log that is read after it holds its last line.
    const run = await runs.get(id, patient);
    if (seen === 0) note(`${run.publicId} "${run.title}" is ${run.status}.`);
    const news = await since(runs, id, seen);
    for (const activity of news) {
      seen = activity.sequence;
      if (output.format === 'table') write(line(activity, run));
      else await printList({ ...output, format: 'jsonl' }, [activity], layout);
    }
    if (run.status === 'COMPLETED') return exitCodes.ok;
    if (run.status === 'CANCELLED') return exitCodes.failure;
    await pause(Math.max(interval, 0.1) * 1000);
  }
}

/** The lines of the log after a sequence number, oldest first. */
async function since(runs: Client['runs'], id: string, seen: number): Promise<Activity[]> {
  const news: Activity[] = [];
  for await (const page of runs.activity(id, { limit: 50 }, patient).pages()) {
    const fresh = page.data.filter(({ sequence }) => sequence > seen);
    news.unshift(...fresh.reverse());
    if (fresh.length < page.data.length) break;
  }
  return news;
}

function line({ at, type, runTaskId }: Activity, { tasks }: Run): string {
  const title = tasks.find((task) => task.runTaskId === runTaskId)?.title;
  return printable(`${at}  ${type}${title === undefined ? '' : `  "${title}"`}`);
}
