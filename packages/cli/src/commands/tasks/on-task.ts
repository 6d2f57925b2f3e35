import type { Client } from '@runward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { findTask, sameTask, type Run, type RunTask } from '../../lookup/run-task.ts';
import { oneTask } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';
import { findRunId, runArgument } from '../../lookup/run.ts';

/** Adds the arguments that identify a task of a run. */
export function addTaskArguments(command: Command): Command {
  return command
    .argument('<run>', runArgument)
    .argument('<task>', 'runTaskId, title, or the start of a title if no other task has it');
}

/** Finds a task, calls `change` with it, and prints the task as it is afterwards. */
export async function onTask(
  cli: Cli,
  [run, task]: readonly [run: string, task: string],
  change: (client: Client, found: { run: Run; task: RunTask }) => Promise<void>,
): Promise<void> {
  const client = await cli.connect();
  const id = await findRunId(client, run);
  const before = await client.runs.get(id);
  const found = findTask(before, task);
  await change(client, { run: before, task: found });
  await printRecord(cli.output, sameTask(await client.runs.get(id), found), oneTask);
}
