import type { Command } from 'commander';
import type { Action } from '../../action.ts';
import { examples } from '../../options.ts';
import { addTaskArguments, checkActive, onTask } from './on-task.ts';

/** `runward tasks reopen`: sets a completed task back to PENDING, with the values of its form. */
export function reopenTask(tasks: Command, action: Action): void {
  addTaskArguments(tasks.command('reopen'))
    .addHelpText('after', examples('runward tasks reopen RUN "Sign the contract"'))
    .action(
      action(async (cli, run: string, task: string) => {
        await onTask(cli, [run, task], async (client, found) => {
          const { title, status, runTaskId } = found.task;
          checkActive(found.run);
          if (status !== 'COMPLETED') return cli.info(`"${title}" is not completed; it is ${status}.`);
          const entries = await Array.fromAsync(client.execution.entries(runTaskId));
          const last = entries.find((entry) => entry.status === 'COMPLETED');
          // A task that was completed directly has an open entry, or none.
          if (last && entries.every((entry) => entry.status === 'COMPLETED')) {
            await client.execution.reopen({ executionEntryId: last.id });
          } else {
            await client.runs.tasks.setStatus(runTaskId, { status: 'PENDING' });
          }
        });
      }),
    );
}
