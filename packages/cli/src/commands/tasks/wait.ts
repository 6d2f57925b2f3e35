import type { Run, RunTask } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { exitCodes } from '../../errors.ts';
import { taskStatuses } from '../../generated/values.ts';
import { findTask, sameTask } from '../../lookup/run-task.ts';
import { findRunBefore } from '../../lookup/run.ts';
import { choice, examples } from '../../options.ts';
import { oneTask } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { addWaitOptions, isOver, retries, waitForGoal, type WaitOptions } from '../runs/poll-run.ts';
import { addTaskArguments } from './on-task.ts';

const goals = [...taskStatuses, 'HIDDEN'] as const;

interface TaskWaitOptions extends WaitOptions {
  readonly until?: (typeof goals)[number];
}

/** `runward tasks wait`: ends when the task needs no more work. Fails if the run ends first. */
export function waitForTask(tasks: Command, action: Action): void {
  const command = addTaskArguments(tasks.command('wait')).addOption(
    choice('--until <status>', 'wait for this status only', goals),
  );
  addWaitOptions(command)
    .addHelpText(
      'after',
      `\nThe exit code is 0 if the task is as wanted, 1 if its run ended before, and 124 if the time of --within is over.\n${examples(
        'runward tasks wait RUN "Approve the release" --within 2h && ./deploy.sh',
        'runward tasks wait RUN "Sign the contract" --until PENDING_APPROVAL',
      )}`,
    )
    .action(
      action(async (cli, given: string, name: string, { until, ...options }: TaskWaitOptions) => {
        const client = await cli.connect();
        const id = await findRunBefore(client, given, name);
        const found = findTask(await client.runs.get(id, {}, retries), name);
        const { run, code } = await waitForGoal(cli, client, id, options, {
          codeOf: (run) =>
            isReached(sameTask(run, found), until) ? exitCodes.ok : isOver(run) ? exitCodes.failure : null,
          progressOf: (run) => progressOf(run, sameTask(run, found)),
        });
        await printRecord(cli.output, sameTask(run, found), oneTask);
        return code;
      }),
    );
}

/** A task that rules hide needs no work and does not block others. */
function isReached({ status, hidden }: RunTask, until: TaskWaitOptions['until']): boolean {
  if (until === undefined) return hidden || status === 'COMPLETED';
  return until === 'HIDDEN' ? hidden : status === until && !hidden;
}

function progressOf(
  { publicId, status: runStatus, tasks }: Run,
  { title, status, hidden, blockedBy }: RunTask,
): string {
  const blockers = tasks.filter((task) => blockedBy.includes(task.runTaskId) && task.status !== 'COMPLETED');
  const by = status === 'BLOCKED' ? ` by ${blockers.map((task) => `"${task.title}"`).join(', ')}` : '';
  return `${publicId} is ${runStatus}; "${title}" is ${hidden ? 'hidden by a rule' : `${status}${by}`}.`;
}
