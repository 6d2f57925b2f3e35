import type { Command } from 'commander';
import { action } from '../../cli.ts';
import { runId } from '../../lookup/ids.ts';
import { runTask } from '../../output/layouts.ts';
import { printList } from '../../output/print.ts';

/** `runward tasks list`. */
export function listTasks(tasks: Command): void {
  tasks
    .command('list')
    .description('List the tasks of a run in their order')
    .argument('<run>', 'id of the run')
    .action(
      action(async (cli, run: string) => {
        const id = runId(run);
        const { runs } = await cli.connect();
        await printList(cli.output, (await runs.get(id)).tasks, runTask);
      }),
    );
}
