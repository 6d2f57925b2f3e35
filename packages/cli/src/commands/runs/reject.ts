import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { runTaskId } from '../../lookup/ids.ts';
import { examples } from '../../options.ts';
import { decidedTask } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** `runward runs reject`. */
export function rejectTask(runs: Command, action: Action): void {
  runs
    .command('reject')
    .argument('<task>', 'runTaskId of the task')
    .requiredOption('--comment <text>', 'why it is rejected')
    .addHelpText('after', examples('runward runs reject TASK --comment "The invoice is missing"'))
    .action(
      action(async (cli, task: string, { comment }: { comment: string }) => {
        const id = runTaskId(task);
        const { runs } = await cli.connect();
        await printRecord(cli.output, await runs.tasks.reject(id, { comment }), decidedTask);
      }),
    );
}
