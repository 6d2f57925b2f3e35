import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { runId } from '../../lookup/ids.ts';
import { printRun } from './print-run.ts';

/** `runward runs reopen`. */
export function reopenRun(runs: Command, action: Action): void {
  runs
    .command('reopen')
    .description('Reopen a completed or cancelled run')
    .argument('<run>', 'ID of the run')
    .action(
      action(async (cli, run: string) => {
        const id = runId(run);
        const { runs } = await cli.connect();
        await printRun(cli.output, await runs.reopen(id));
      }),
    );
}
