import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { runId } from '../../lookup/ids.ts';
import { printRun } from './print-run.ts';

/** `runward runs complete`. */
export function completeRun(runs: Command, action: Action): void {
  runs
    .command('complete')
    .description('Complete a run')
    .argument('<run>', 'ID of the run')
    .action(
      action(async (cli, run: string) => {
        const id = runId(run);
        const { runs } = await cli.connect();
        await printRun(cli.output, await runs.complete(id));
      }),
    );
}
