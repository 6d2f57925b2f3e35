import type { Client, Run, RunTask } from '@runward/sdk';
import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { rejected, type CliError } from '../../errors.ts';
import { commandFor } from '../../form/header.ts';
import { findTask, sameTask } from '../../lookup/run-task.ts';
import { findRunBefore, runArgument } from '../../lookup/run.ts';
import { collect, keyValues } from '../../options.ts';
import { oneTask } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** Adds the arguments that identify a task of a run. */
export function addTaskArguments(command: Command): Command {
  return command
    .argument('<run>', runArgument)
    .argument('<task>', 'runTaskId, title, or the start of a title if no other task has it');
}

/** Adds the option for form values, which {@link readValues} reads. */
export function addValueOption(command: Command): Command {
  return command.option(
    '--value <key=value>',
    'value of a field; separate list items by commas, leave the value empty to clear it; key=@path uploads a file (repeatable)',
    collect,
  );
}

/** The values of `--value`. A key can be repeated if it names files. */
export function readValues(given: readonly string[] | undefined): [key: string, value: string][] {
  return keyValues('--value', given, 'key=value', (value) => value.startsWith('@'));
}

/** The error for values of a task that is completed. */
export function taskCompleted({ run, task }: { readonly run: Run; readonly task: RunTask }): CliError {
  return rejected(`"${task.title}" is completed. To change its form: ${commandFor('reopen', run, task)}`);
}

/** Checks that a run is active. The API would reject the change only after files were uploaded. */
export function checkActive({ id, status }: Run): void {
  if (status !== 'COMPLETED' && status !== 'CANCELLED') return;
  throw rejected(`The run is ${status}. To continue it: runward runs reopen ${id}`);
}

/** Finds a task, passes it to `change`, and prints the changed task. */
export async function onTask(
  cli: Cli,
  [run, task]: readonly [run: string, task: string],
  change: (client: Client, found: { run: Run; task: RunTask }) => Promise<void>,
): Promise<void> {
  const client = await cli.connectToChange(oneTask);
  const id = await findRunBefore(client, run, task);
  const before = await client.runs.get(id);
  const found = findTask(before, task);
  await change(client, { run: before, task: found });
  await printRecord(cli.output, sameTask(await client.runs.get(id), found), oneTask);
}
