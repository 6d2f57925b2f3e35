import type { Run } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { exitCodes } from '../../errors.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';
import { choice, examples } from '../../options.ts';
import { run as layout } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { addWaitOptions, isOver, waitForGoal, type WaitOptions } from './poll-run.ts';

const goals = ['COMPLETED', 'CANCELLED', 'OVERDUE'] as const;

interface RunWaitOptions extends WaitOptions {
  readonly until: (typeof goals)[number];
}

/** `runward runs wait`: ends when the run is completed, and fails if it ends otherwise. */
export function waitForRun(runs: Command, action: Action): void {
  const command = runs
    .command('wait')
    .argument('<run>', runArgument)
    .addOption(choice('--until <status>', 'the status to wait for', goals).default(goals[0]));
  addWaitOptions(command)
    .addHelpText(
      'after',
      `\nThe exit code is 0 if the run has the status, 1 if it ended with another one, and 124 if the time of --within is over.\n${examples(
        'runward runs wait RUN && echo completed',
        'runward runs wait RUN --within 2h --interval 30',
      )}`,
    )
    .action(
      action(async (cli, given: string, { until, ...options }: RunWaitOptions) => {
        const client = await cli.connect();
        const { run, code } = await waitForGoal(cli, client, await findRunId(client, given), options, {
          codeOf: (run) => (run.status === until ? exitCodes.ok : isOver(run) ? exitCodes.failure : null),
          progressOf,
        });
        await printRecord(cli.output, run, layout);
        return code;
      }),
    );
}

function progressOf({ publicId, status, tasks }: Run): string {
  const visible = tasks.filter(({ hidden }) => !hidden);
  const completed = visible.filter((task) => task.status === 'COMPLETED');
  return `${publicId} is ${status}; ${completed.length} of ${visible.length} tasks are completed.`;
}
