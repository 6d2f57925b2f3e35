import { findId } from '@runward/sdk/find';
import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { usage } from '../../errors.ts';
import { examples } from '../../options.ts';
import { addTaskArguments, onTask } from './on-task.ts';

interface AssignOptions {
  readonly user?: string;
  readonly group?: string;
  readonly none?: boolean;
}

/** `runward tasks assign`. */
export function assignTask(tasks: Command, action: Action): void {
  addTaskArguments(tasks.command('assign'))
    .option('--user <id|email>', 'assign to this member')
    .option('--group <id|name>', 'assign to this group')
    .option('--none', 'remove the assignment')
    .addHelpText('after', examples('runward tasks assign RUN "Sign the contract" --user ada@example.com'))
    .action(
      action(async (cli, run: string, task: string, { user, group, none }: AssignOptions) => {
        if ([user, group, none].filter((option) => option !== undefined).length !== 1) {
          throw usage('Use one of --user, --group and --none.');
        }
        await onTask(cli, [run, task], async (client, found) => {
          const assigneeId = user === undefined ? null : await findId(client, 'member', user);
          const assigneeGroupId = group === undefined ? null : await findId(client, 'group', group);
          await client.runs.tasks.setAssignee(found.task.runTaskId, { assigneeId, assigneeGroupId });
        });
      }),
    );
}
