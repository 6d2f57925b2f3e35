import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { runTaskId } from '../../lookup/ids.ts';
import { examples } from '../../options.ts';
import { unblockedTask } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** `runward tasks unblock`: lets a task be completed before those that it depends on. */
export function unblockTask(tasks: Command, action: Action): void {
  tasks
    .command('unblock')
    .argument('<task>', 'runTaskId of the task')
    .addHelpText('after', examples('runward tasks list --status BLOCKED', 'runward tasks unblock TASK'))
    .action(
      action(async (cli, task: string) => {
        const id = runTaskId(task);
        const { runs } = await cli.connect();
        await printRecord(cli.output, await runs.tasks.forceUnblock(id), unblockedTask);
      }),
    );
}
