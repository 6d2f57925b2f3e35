import type { Client, DecidedTask } from '@runward/sdk';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import type { Cli } from '../../cli.ts';
import { waitingText } from '../../form/approval.ts';
import { readId } from '../../lookup/ids.ts';
import { findRunTaskId } from '../../lookup/run-task.ts';
import { examples } from '../../options.ts';
import { decidedTask } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { addTaskArguments } from './on-task.ts';

interface ApproveOptions {
  readonly comment?: string;
}

interface RejectOptions {
  readonly comment: string;
}

/** `runward tasks approve`. */
export function approveTask(tasks: Command, action: Action): void {
  addApproval(addTaskArguments(tasks.command('approve')))
    .addHelpText(
      'after',
      examples('runward tasks list --status PENDING_APPROVAL', 'runward tasks approve RUN "Pay the invoice"'),
    )
    .action(
      action(async (cli, run: string, task: string, { comment }: ApproveOptions) => {
        const client = await cli.connectToChange(decidedTask);
        await approve(cli, client, await findRunTaskId(client, run, task), comment);
      }),
    );
}

/** `runward tasks reject`. */
export function rejectTask(tasks: Command, action: Action): void {
  addRejection(addTaskArguments(tasks.command('reject')))
    .addHelpText('after', examples('runward tasks reject RUN "Pay the invoice" --comment "The invoice is missing"'))
    .action(
      action(async (cli, run: string, task: string, { comment }: RejectOptions) => {
        const client = await cli.connectToChange(decidedTask);
        await reject(cli, client, await findRunTaskId(client, run, task), comment);
      }),
    );
}

/** `runward runs approve TASK`, the earlier name of {@link approveTask}. */
export function approveByTaskId(runs: Command, action: Action): void {
  addApproval(addTaskId(runs.command('approve', { hidden: true }))).action(
    action(async (cli, task: string, { comment }: ApproveOptions) => {
      const id = readId('runTask', task);
      await approve(cli, await cli.connectToChange(decidedTask), id, comment);
    }),
  );
}

/** `runward runs reject TASK`, the earlier name of {@link rejectTask}. */
export function rejectByTaskId(runs: Command, action: Action): void {
  addRejection(addTaskId(runs.command('reject', { hidden: true }))).action(
    action(async (cli, task: string, { comment }: RejectOptions) => {
      const id = readId('runTask', task);
      await reject(cli, await cli.connectToChange(decidedTask), id, comment);
    }),
  );
}

function addTaskId(command: Command): Command {
  return command.argument('<task>', 'runTaskId of the task');
}

function addApproval(command: Command): Command {
  return command.option('--comment <text>', 'comment on the decision');
}

function addRejection(command: Command): Command {
  return command.requiredOption('--comment <text>', 'why it is rejected');
}

async function approve(cli: Cli, client: Client, taskId: string, comment: string | undefined): Promise<void> {
  await print(cli, client, await client.runs.tasks.approve(taskId, comment === undefined ? {} : { comment }));
}

async function reject(cli: Cli, client: Client, taskId: string, comment: string): Promise<void> {
  await print(cli, client, await client.runs.tasks.reject(taskId, { comment }));
}

async function print(cli: Cli, client: Client, decided: DecidedTask): Promise<void> {
  await printRecord(cli.output, decided, decidedTask);
  if (decided.approval?.status === 'REQUESTED') cli.info(await waitingText(client, decided));
}
