import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { waitingText } from '../../form/approval.ts';
import { runTaskId } from '../../lookup/ids.ts';
import { examples } from '../../options.ts';
import { decidedTask } from '../../output/layouts.ts';
import { printRecord } from '../../output/print.ts';

/** `runward runs approve`. */
export function approveTask(runs: Command, action: Action): void {
  runs
    .command('approve')
    .argument('<task>', 'runTaskId of the task')
    .option('--comment <text>', 'comment on the decision')
    .addHelpText('after', examples('runward tasks list --status PENDING_APPROVAL', 'runward runs approve TASK'))
    .action(
      action(async (cli, task: string, { comment }: { comment?: string }) => {
        const id = runTaskId(task);
        const client = await cli.connect();
        const decided = await client.runs.tasks.approve(id, comment === undefined ? {} : { comment });
        await printRecord(cli.output, decided, decidedTask);
        if (decided.approval?.status === 'REQUESTED') cli.info(await waitingText(client, decided));
      }),
    );
}
