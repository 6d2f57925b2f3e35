import type { Command } from 'commander';
import type { Action } from '../../cli.ts';
import { runId } from '../../lookup/ids.ts';

/** `runward runs archive`. */
export function archiveRuns(runs: Command, action: Action): void {
  runs
    .command('archive')
    .description('Archive completed or cancelled runs: leave them out of lists and counts')
    .argument('<run...>', 'IDs of the runs')
    .action(
      action(async (cli, given: string[]) => {
        const runIds = given.map(runId);
        const { runs } = await cli.connect();
        const { archived } = await runs.archive({ runIds });
        cli.info(`${archived} of ${runIds.length} archived.`);
      }),
    );
}
