import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { runId } from '../../lookup/ids.ts';
import { runTask } from '../../output/layouts.ts';
import { printList } from '../../output/print.ts';

/** `runward tasks list`. */
export function listTasks(tasks: Command, action: Action): void {
  tasks
    .command('list')
    .description('List the tasks of a run, in order')
    .argument('<run>', 'ID of the run')
    .action(
      action(async (cli, run: string) => {
        const id = runId(run);
        const { runs } = await cli.connect();
        await printList(cli.output, (await runs.get(id)).tasks, runTask);
      }),
    );
}
